/// What running the V-FPI loop is on every backend that launches it.
#pragma once

#include <string>

#include "kernels/core/error.hpp"
#include "kernels/device/loop_launcher.hpp"

namespace nodia {

/// Launches the loop in the stream by the launcher and waits for its end.
/// @param what      the loop's name, in errors
/// @param graph     graph() launches it as recorded
/// @param launches  launches(checked) launches it body by body
/// @param launched  launched() is called behind the last launch
/// @throws RuntimeError naming the loop, with --loop checked its kernel
template <class Graph, class Launches, class Launched>
void run_loop(const std::string& what, LoopLauncher launcher, DeviceStream stream,
              const Graph& graph, const Launches& launches, const Launched& launched) {
  try {
    if (launcher == LoopLauncher::graph)
      graph();
    else
      launches(launcher == LoopLauncher::checked);
    launched();
  } catch (const RuntimeError&) {
    // Any call may tell a fault of a kernel before it, with its own name.
    if (launcher != LoopLauncher::checked) synchronize_loop(what, stream);
    throw;
  }
  synchronize_loop(what, stream);
}

}  // namespace nodia
