#include "kernels/assembly/device/device_assembly.hpp"

#include "kernels/assembly/assemble.hpp"
#include "kernels/device/device_launcher.cuh"

namespace nodia {

void DeviceAssembly::launch(const EvaluateTets& tets, const AssembleRows& rows,
                            DeviceStream stream) {
  launch_assembly(DeviceLauncher(stream), tets, rows);
}

}  // namespace nodia
