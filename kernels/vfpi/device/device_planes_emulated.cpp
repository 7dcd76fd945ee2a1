#include "kernels/device/checked_launcher.hpp"
#include "kernels/emulated/recorder.hpp"
#include "kernels/vfpi/device/device_planes.hpp"

namespace nodia {

template <class Precision>
void assemble_planes_on_device(const PlanesAssembly<Precision>& assembly, DeviceStream stream,
                               bool checked) {
  launch_planes(CheckedLauncher(EmulatedLauncher{stream}, stream, checked), assembly);
}

template <class Precision>
void advance_on_device(const StateCarry<Precision>& carry, DeviceStream stream, bool checked) {
  launch_advance(CheckedLauncher(EmulatedLauncher{stream}, stream, checked), carry);
}

template <class Precision>
void start_on_device(const StateCarry<Precision>& carry, DeviceStream stream, bool checked) {
  launch_start(CheckedLauncher(EmulatedLauncher{stream}, stream, checked), carry);
}

template void assemble_planes_on_device(const PlanesAssembly<DoublePrecision>&, DeviceStream, bool);
template void assemble_planes_on_device(const PlanesAssembly<MixedPrecision>&, DeviceStream, bool);
template void assemble_planes_on_device(const PlanesAssembly<FloatPrecision>&, DeviceStream, bool);
template void advance_on_device(const StateCarry<DoublePrecision>&, DeviceStream, bool);
template void advance_on_device(const StateCarry<MixedPrecision>&, DeviceStream, bool);
template void advance_on_device(const StateCarry<FloatPrecision>&, DeviceStream, bool);
template void start_on_device(const StateCarry<DoublePrecision>&, DeviceStream, bool);
template void start_on_device(const StateCarry<MixedPrecision>&, DeviceStream, bool);
template void start_on_device(const StateCarry<FloatPrecision>&, DeviceStream, bool);

}  // namespace nodia
