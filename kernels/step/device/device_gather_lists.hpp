/// Builds the lists of the assembly on the device with Thrust; TetModel does so on the host.
#pragma once

#include "kernels/device/stream.hpp"
#include "kernels/step/gather_lists.hpp"

namespace nodia {

/// Waits for the stream. All pointers are device pointers.
/// @param model  input of make_gather_lists
/// @param lists  output: all lists
/// @throws RuntimeError if the device fails or lacks memory for the sorts
void gather_lists_on_device(const AssemblyView& model, const GatherLists& lists,
                            DeviceStream stream);

}  // namespace nodia
