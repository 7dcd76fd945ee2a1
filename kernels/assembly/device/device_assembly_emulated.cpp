#include "kernels/assembly/device/device_assembly.hpp"
#include "kernels/emulated/item_launcher.hpp"

namespace nodia {

void DeviceAssembly::launch(const EvaluateTets& tets, const AssembleRows& rows, DeviceStream) {
  launch_assembly(ItemLauncher{}, tets, rows);
}

}  // namespace nodia
