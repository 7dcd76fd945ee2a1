/// Graphs of the emulated device, and streams that capture into them, as CUDA's do.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/device/stream.hpp"

namespace nodia {

/// Launches, with loops and conditional parts of them.
struct EmulatedGraph {
  std::vector<std::function<void()>> nodes;

  void run() const {
    for (const auto& node : nodes) node();
  }
};

/// Work of the stream goes into the graph from here on, and is noted in `kernels`; null: it runs at
/// once again.
void capture_on_emulated_device(DeviceStream stream, EmulatedGraph* graph, std::string* kernels);
bool captures_on_emulated_device(DeviceStream stream);
/// Throws RuntimeError where the stream captures: the call would have to wait.
void require_no_capture(const char* call, DeviceStream stream);

/// Work of the stream: captured, or done.
/// @param note  of it among the kernels of a recording
void do_on_emulated_device(DeviceStream stream, const std::string& note,
                           std::function<void()> work);
/// The device's clock, in the order of the stream [ns].
void tell_time_on_emulated_device(std::int64_t* ns, DeviceStream stream);

}  // namespace nodia
