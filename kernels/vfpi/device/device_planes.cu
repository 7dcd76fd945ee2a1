#include "kernels/device/device_launcher.cuh"
#include "kernels/vfpi/device/device_planes.hpp"

namespace nodia {

template <class Precision>
void assemble_planes_on_device(const PlanesAssembly<Precision>& assembly, DeviceStream stream) {
  launch_planes(DeviceLauncher(stream), assembly);
}

template void assemble_planes_on_device(const PlanesAssembly<DoublePrecision>&, DeviceStream);
template void assemble_planes_on_device(const PlanesAssembly<MixedPrecision>&, DeviceStream);
template void assemble_planes_on_device(const PlanesAssembly<FloatPrecision>&, DeviceStream);

}  // namespace nodia
