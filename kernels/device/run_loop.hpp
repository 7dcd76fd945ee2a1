/// What running kernels with a loop in them is on every backend that launches them.
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

/// Launches in the stream by the launcher.
/// @param what      the loop's name, in errors
/// @param graph     graph() launches it as recorded
/// @param launches  launches(queue) launches it body by body
/// @throws RuntimeError naming the loop, with --loop checked its kernel
template <class Graph, class Launches>
void launch_by(const std::string& what, LoopLauncher launcher, DeviceStream stream,
               const Graph& graph, const Launches& launches) {
  launch_as(what, launcher, stream, [&] {
    if (launcher == LoopLauncher::graph)
      graph();
    else
      launches(queue_of(launcher, stream));
  });
}

/// The same, and waits for the end.
template <class Graph, class Launches>
void run_loop(const std::string& what, LoopLauncher launcher, DeviceStream stream,
              const Graph& graph, const Launches& launches) {
  launch_by(what, launcher, stream, graph, launches);
  synchronize_loop(what, stream);
}

}  // namespace nodia
