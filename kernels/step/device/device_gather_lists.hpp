/// The lists of the assembly, made on the device (Thrust): those that TetModel makes on the host.
#pragma once

#include "kernels/device/stream.hpp"
#include "kernels/step/gather_lists.hpp"

namespace nodia {

/// Waits for the stream. All pointers are device pointers.
/// @param model  as make_gather_lists takes it
/// @param lists  out: all of them
/// @throws RuntimeError where the device fails or has no room for the sorts
void gather_lists_on_device(const AssemblyView& model, const GatherLists& lists,
                            DeviceStream stream);

}  // namespace nodia
