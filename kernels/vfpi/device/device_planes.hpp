/// What precedes the V-FPI loop on the device, seen from the host without CUDA types: the last
/// step's end, the start, the assembly into the loop's planes. Returns without waiting, unless the
/// queue waits for its kernels.
#pragma once

#include "kernels/device/stream.hpp"
#include "kernels/step/assemble_planes.hpp"
#include "kernels/step/carry_state.hpp"

namespace nodia {

// Pointers of the arguments are into device memory.

/// launch_advance in the stream.
template <class Precision>
void advance_on_device(const StateCarry<Precision>& carry, DeviceQueue queue);
/// launch_start in the stream.
template <class Precision>
void start_on_device(const StateCarry<Precision>& carry, DeviceQueue queue);
/// launch_planes in the stream.
template <class Precision>
void assemble_planes_on_device(const PlanesAssembly<Precision>& assembly, DeviceQueue queue);

}  // namespace nodia
