/// Launches of the kernels that precede the V-FPI loop.
#include "kernels/device/device_backend.cuh"
#include "kernels/vfpi/device/device_planes.hpp"

namespace nodia {

template <class Precision>
void assemble_planes_on_device(const PlanesAssembly<Precision>& assembly, DeviceQueue queue) {
  launch_planes(launcher_in(queue), assembly);
}

template <class Precision>
void advance_on_device(const StateCarry<Precision>& carry, DeviceQueue queue) {
  launch_advance(launcher_in(queue), carry);
}

template <class Precision>
void start_on_device(const StateCarry<Precision>& carry, DeviceQueue queue) {
  launch_start(launcher_in(queue), carry);
}

#define NODIA_INSTANTIATE(Precision)                                                      \
  template void assemble_planes_on_device(const PlanesAssembly<Precision>&, DeviceQueue); \
  template void advance_on_device(const StateCarry<Precision>&, DeviceQueue);             \
  template void start_on_device(const StateCarry<Precision>&, DeviceQueue);
NODIA_FOR_EACH_PRECISION(NODIA_INSTANTIATE)
#undef NODIA_INSTANTIATE

}  // namespace nodia
