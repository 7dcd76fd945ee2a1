#include "kernels/device/absent.hpp"
#include "kernels/vfpi/device/device_planes.hpp"

namespace nodia {

template <class Precision>
void assemble_planes_on_device(const PlanesAssembly<Precision>&, DeviceStream, bool) {
  throw_no_device("assembly into the planes");
}

template <class Precision>
void advance_on_device(const StateCarry<Precision>&, DeviceStream, bool) {
  throw_no_device("V-FPI loop");
}

template <class Precision>
void start_on_device(const StateCarry<Precision>&, DeviceStream, bool) {
  throw_no_device("V-FPI loop");
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
