/// Captures work of streams into graphs of the checked host backend.
#include "tests/devices/checked_host/capture.hpp"

#include <chrono>
#include <map>
#include <mutex>
#include <utility>

#include "kernels/core/error.hpp"
#include "tests/devices/checked_host/launch.hpp"

namespace nodia {
namespace {

struct Capture {
  CheckedHostGraph* graph = nullptr;
  std::string* kernels = nullptr;
};

struct Captures {
  std::mutex mutex;
  std::map<DeviceStream, Capture> by_stream;
};
Captures& captures() {
  static Captures all;
  return all;
}

/// Capture of the stream; without a graph if the stream is not capturing.
Capture capture_of(DeviceStream stream) {
  const std::lock_guard lock(captures().mutex);
  const auto found = captures().by_stream.find(stream);
  return found == captures().by_stream.end() ? Capture{} : found->second;
}

}  // namespace

void capture_on_checked_host(DeviceStream stream, CheckedHostGraph* graph, std::string* kernels) {
  const std::lock_guard lock(captures().mutex);
  if (graph == nullptr)
    captures().by_stream.erase(stream);
  else
    captures().by_stream[stream] = {graph, kernels};
}

bool captures_on_checked_host(DeviceStream stream) {
  return capture_of(stream).graph != nullptr;
}

void require_no_capture(const char* call, DeviceStream stream) {
  if (captures_on_checked_host(stream))
    throw RuntimeError(std::string(call) + ": the stream captures, and this waits");
}

void do_on_checked_host(DeviceStream stream, const std::string& note, std::function<void()> work) {
  const Capture capture = capture_of(stream);
  if (capture.graph == nullptr) return work();
  capture.graph->nodes.push_back(std::move(work));
  if (!note.empty()) capture.kernels->append(note).append(" ");
}

void launch_on_checked_host(DeviceStream stream, const char* name, const std::string& note,
                            std::function<void()> run) {
  if (!captures_on_checked_host(stream)) {
    report_fault_on_checked_host(name);
    ++checked_host().n_launch;
    return run();
  }
  if (name == checked_host().unrecorded_kernel)
    throw RuntimeError(std::string("checked host backend: the launch of ") + name +
                       " cannot be recorded");
  do_on_checked_host(stream, note, std::move(run));
}

bool is_faulty_on_checked_host(const char* name) {
  if (name == checked_host().faulty_kernel) {
    fail_on_checked_host("an illegal memory access was encountered");
    return true;
  }
  return name == checked_host().dropped_kernel;
}

void report_time_on_checked_host(std::int64_t* ns, DeviceStream stream) {
  do_on_checked_host(stream, "", [ns] {
    *ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
              std::chrono::steady_clock::now().time_since_epoch())
              .count();
  });
}

}  // namespace nodia
