/// The assembly into the loop's planes on the device, seen from the host without CUDA types.
#pragma once

#include "kernels/device/stream.hpp"
#include "kernels/vfpi/assemble_planes.hpp"

namespace nodia {

/// launch_planes in the stream; returns without waiting.
/// @param assembly  pointers into device memory
template <class Precision>
void assemble_planes_on_device(const PlanesAssembly<Precision>& assembly, DeviceStream stream);

}  // namespace nodia
