#include "kernels/device/device_launcher.cuh"
#include "kernels/vfpi/device/device_planes.hpp"

namespace nodia {

template <class Precision>
void assemble_planes_on_device(const PlanesAssembly<Precision>& assembly, DeviceStream stream) {
  launch_planes(DeviceLauncher(stream), assembly);
}

template <class Precision>
void advance_on_device(const StateCarry<Precision>& carry, DeviceStream stream) {
  launch_advance(DeviceLauncher(stream), carry);
}

template <class Precision>
void start_on_device(const StateCarry<Precision>& carry, DeviceStream stream) {
  launch_start(DeviceLauncher(stream), carry);
}

template void assemble_planes_on_device(const PlanesAssembly<DoublePrecision>&, DeviceStream);
template void assemble_planes_on_device(const PlanesAssembly<MixedPrecision>&, DeviceStream);
template void assemble_planes_on_device(const PlanesAssembly<FloatPrecision>&, DeviceStream);
template void advance_on_device(const StateCarry<DoublePrecision>&, DeviceStream);
template void advance_on_device(const StateCarry<MixedPrecision>&, DeviceStream);
template void advance_on_device(const StateCarry<FloatPrecision>&, DeviceStream);
template void start_on_device(const StateCarry<DoublePrecision>&, DeviceStream);
template void start_on_device(const StateCarry<MixedPrecision>&, DeviceStream);
template void start_on_device(const StateCarry<FloatPrecision>&, DeviceStream);

}  // namespace nodia
