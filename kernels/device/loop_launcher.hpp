/// Launchers of a kernel loop on the device.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "kernels/core/words.hpp"
#include "kernels/device/stream.hpp"

namespace nodia {

enum class LoopLauncher {
  graph,     ///< recorded once; the device evaluates the condition
  launches,  ///< launched by the host, which reads the condition after each body
  checked    ///< like launches, with a wait after each kernel: an error names its kernel
};
constexpr auto words_of(LoopLauncher) {
  return std::array{Word{LoopLauncher::graph, "graph"}, Word{LoopLauncher::launches, "launches"},
                    Word{LoopLauncher::checked, "checked"}};
}

/// Queue of the launcher's kernels in a stream.
inline DeviceQueue queue_of(LoopLauncher launcher, DeviceStream stream) {
  return {stream, launcher == LoopLauncher::checked};
}

struct ResolvedLoopLauncher {
  LoopLauncher launcher = LoopLauncher::graph;
  std::string because;  ///< reason why it is not the graph; empty if requested
};

/// Resolves a request. Default: graph, or launches if the driver cannot record loops.
/// @throws RuntimeError if a graph was requested and cannot be recorded
ResolvedLoopLauncher resolve(std::optional<LoopLauncher> asked);

/// Waits for work of several kernels. The error explains how to find the kernel that failed.
void synchronize_loop(const std::string& what, DeviceStream stream);
/// Waits for the work before an event, with the same error.
void wait_in_loop(const std::string& what, const OwnedEvent& moment);

}  // namespace nodia
