/// Launches whose faults are told in words.
#pragma once

#include <string>

#include "kernels/core/error.hpp"
#include "kernels/device/loop_launcher.hpp"

namespace nodia {

/// Calls launches(), which launch in the stream. Any launch may tell a fault of a kernel before it,
/// with its own name: it is told as `what`, and how to learn the kernel.
/// @throws RuntimeError naming `what`, with --loop checked the kernel
template <class Launches>
void launch_as(const std::string& what, LoopLauncher launcher, DeviceStream stream,
               const Launches& launches) {
  try {
    launches();
  } catch (const RuntimeError&) {
    if (launcher != LoopLauncher::checked) synchronize_loop(what, stream);
    throw;
  }
}

}  // namespace nodia
