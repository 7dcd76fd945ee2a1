/// Searches between soft surfaces on the device, without CUDA types. Pointers of the arguments
/// point to device memory. Asynchronous unless the queue waits for its kernels.
#pragma once

#include "kernels/collision/paired_surfaces.hpp"
#include "kernels/device/stream.hpp"

namespace nodia {

/// Runs launch_find_pairs in the stream.
void find_pairs_on_device(const PairedSurfaces& paired, DeviceQueue queue);
/// Runs launch_tunnelling in the stream.
void find_tunnelling_on_device(const PairedSurfaces& paired, DeviceQueue queue);

}  // namespace nodia
