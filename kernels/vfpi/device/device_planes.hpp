/// Device kernels that precede the V-FPI loop, without CUDA types: end of the last step, start,
/// assembly into columns. Asynchronous unless the queue waits for its kernels.
#pragma once

#include "kernels/device/stream.hpp"
#include "kernels/step/assemble_planes.hpp"
#include "kernels/step/carry_state.hpp"

namespace nodia {

// Pointers of the arguments point to device memory.

/// Runs launch_advance in the stream.
template <class Precision>
void advance_on_device(const StateCarry<Precision>& carry, DeviceQueue queue);
/// Runs launch_start in the stream.
template <class Precision>
void start_on_device(const StateCarry<Precision>& carry, DeviceQueue queue);
/// Runs launch_planes in the stream.
template <class Precision>
void assemble_planes_on_device(const PlanesAssembly<Precision>& assembly, DeviceQueue queue);

}  // namespace nodia
