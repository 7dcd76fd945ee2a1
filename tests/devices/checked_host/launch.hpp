/// Launches in a stream of the checked host backend, and the faults injected in them.
#pragma once

#include <functional>
#include <string>

#include "kernels/device/stream.hpp"
#include "tests/devices/checked_host/checked_host.hpp"

namespace nodia {

/// Launches a kernel. Throws an earlier fault, as CUDA launches do.
/// @param note  entry among the kernels of a recording
/// @param run   runs the kernel
void launch_on_checked_host(DeviceStream stream, const char* name, const std::string& note,
                            std::function<void()> run);
/// Returns whether an injected fault prevents the kernel's work: it fails or is dropped.
bool is_faulty_on_checked_host(const char* name);

}  // namespace nodia
