/// Graphs of the checked host backend, and streams that capture work into them like CUDA streams.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/device/stream.hpp"

namespace nodia {

/// Launches, with loops and conditional parts.
struct CheckedHostGraph {
  std::vector<std::function<void()>> nodes;

  void run() const {
    for (const auto& node : nodes) node();
  }
};

/// Captures the stream's work into the graph and notes it in `kernels`; null ends the capture.
void capture_on_checked_host(DeviceStream stream, CheckedHostGraph* graph, std::string* kernels);
bool captures_on_checked_host(DeviceStream stream);
/// Throws RuntimeError if the stream is capturing, because the call would have to wait.
void require_no_capture(const char* call, DeviceStream stream);

/// Captures or runs work of the stream.
/// @param note  entry among the kernels of a recording
void do_on_checked_host(DeviceStream stream, const std::string& note, std::function<void()> work);
/// Writes the device's clock in the order of the stream [ns].
void report_time_on_checked_host(std::int64_t* ns, DeviceStream stream);

}  // namespace nodia
