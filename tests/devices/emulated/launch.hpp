/// Launches in a stream of the emulated device, and the faults that are planted in them.
#pragma once

#include <functional>
#include <string>

#include "kernels/device/stream.hpp"
#include "tests/devices/emulated/emulated_device.hpp"

namespace nodia {

/// A launch tells of a fault before it, as CUDA's do.
/// @param note  of it among the kernels of a recording
/// @param run   runs the kernel
void launch_on_emulated_device(DeviceStream stream, const char* name, const std::string& note,
                               std::function<void()> run);
/// Whether a kernel does not do its work: it fails, or is dropped.
bool is_faulty_on_emulated_device(const char* name);

}  // namespace nodia
