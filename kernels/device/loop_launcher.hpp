/// How the kernels of a loop come onto the device.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "kernels/core/words.hpp"
#include "kernels/device/stream.hpp"

namespace nodia {

enum class LoopLauncher {
  graph,     ///< recorded once; the device decides on the next body
  launches,  ///< launched by the host, which reads the condition after each body
  checked    ///< likewise, and waited for one by one: a fault is told with the kernel's name
};
constexpr auto words_of(LoopLauncher) {
  return std::array{Word{LoopLauncher::graph, "graph"}, Word{LoopLauncher::launches, "launches"},
                    Word{LoopLauncher::checked, "checked"}};
}

/// The queue of the launcher's kernels in a stream.
inline DeviceQueue queue_of(LoopLauncher launcher, DeviceStream stream) {
  return {stream, launcher == LoopLauncher::checked};
}

struct ResolvedLoopLauncher {
  LoopLauncher launcher = LoopLauncher::graph;
  std::string because;  ///< why it is not the graph; empty where it was asked for
};

/// What was asked for; without it the graph, or launches where the driver cannot record loops.
/// @throws RuntimeError where a graph was asked for and cannot be had
ResolvedLoopLauncher resolve(std::optional<LoopLauncher> asked);

/// Waits for work in which any kernel may have failed; then the error says how to learn which.
void synchronize_loop(const std::string& what, DeviceStream stream);
/// The same for what lies before a moment.
void wait_in_loop(const std::string& what, const OwnedEvent& moment);

}  // namespace nodia
