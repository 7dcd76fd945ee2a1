/// Execution of kernels with a loop, common to every backend that launches them.
#pragma once

#include <string>

#include "kernels/core/error.hpp"
#include "kernels/device/loop_launcher.hpp"

namespace nodia {

/// Calls launches(), which launch in the stream. An error of a launch may belong to an earlier
/// kernel; the error therefore names `what` and explains how to find the kernel.
/// @throws RuntimeError with `what`; with --loop checked it names the kernel
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

/// Launches a loop in the stream with the chosen launcher.
/// @param what      name of the loop in errors
/// @param graph     graph() launches the recorded loop
/// @param launches  launches(queue) launches it body by body
/// @throws RuntimeError with the loop's name; with --loop checked it names the kernel
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

/// Launches a loop and waits for its end.
template <class Graph, class Launches>
void run_loop(const std::string& what, LoopLauncher launcher, DeviceStream stream,
              const Graph& graph, const Launches& launches) {
  launch_by(what, launcher, stream, graph, launches);
  synchronize_loop(what, stream);
}

}  // namespace nodia
