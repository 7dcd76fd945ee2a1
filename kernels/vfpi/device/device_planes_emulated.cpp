#include "kernels/emulated/recorder.hpp"
#include "kernels/vfpi/device/device_planes.hpp"

namespace nodia {

template <class Precision>
void assemble_planes_on_device(const PlanesAssembly<Precision>& assembly, DeviceStream) {
  launch_planes(EmulatedLauncher{}, assembly);
}

template <class Precision>
void advance_on_device(const StateCarry<Precision>& carry, DeviceStream) {
  launch_advance(EmulatedLauncher{}, carry);
}

template <class Precision>
void start_on_device(const StateCarry<Precision>& carry, DeviceStream) {
  launch_start(EmulatedLauncher{}, carry);
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
