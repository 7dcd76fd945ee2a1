#include "kernels/device/device_backend.cuh"
#include "kernels/vfpi/device/device_planes.hpp"

namespace nodia {

template <class Precision>
void assemble_planes_on_device(const PlanesAssembly<Precision>& assembly, DeviceStream stream,
                               bool checked) {
  launch_planes(checked_launcher_in(stream, checked), assembly);
}

template <class Precision>
void advance_on_device(const StateCarry<Precision>& carry, DeviceStream stream, bool checked) {
  launch_advance(checked_launcher_in(stream, checked), carry);
}

template <class Precision>
void start_on_device(const StateCarry<Precision>& carry, DeviceStream stream, bool checked) {
  launch_start(checked_launcher_in(stream, checked), carry);
}

#define NODIA_INSTANTIATE(Precision)                                                             \
  template void assemble_planes_on_device(const PlanesAssembly<Precision>&, DeviceStream, bool); \
  template void advance_on_device(const StateCarry<Precision>&, DeviceStream, bool);             \
  template void start_on_device(const StateCarry<Precision>&, DeviceStream, bool);
NODIA_FOR_EACH_PRECISION(NODIA_INSTANTIATE)
#undef NODIA_INSTANTIATE

}  // namespace nodia
