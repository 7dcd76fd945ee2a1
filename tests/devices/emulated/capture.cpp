/// Captures work of streams into graphs of the checked host backend.
#include "tests/devices/emulated/capture.hpp"

#include <chrono>
#include <map>
#include <mutex>
#include <utility>

#include "kernels/core/error.hpp"
#include "tests/devices/emulated/launch.hpp"

namespace nodia {
namespace {

struct Capture {
  EmulatedGraph* graph = nullptr;
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

void capture_on_emulated_device(DeviceStream stream, EmulatedGraph* graph, std::string* kernels) {
  const std::lock_guard lock(captures().mutex);
  if (graph == nullptr)
    captures().by_stream.erase(stream);
  else
    captures().by_stream[stream] = {graph, kernels};
}

bool captures_on_emulated_device(DeviceStream stream) {
  return capture_of(stream).graph != nullptr;
}

void require_no_capture(const char* call, DeviceStream stream) {
  if (captures_on_emulated_device(stream))
    throw RuntimeError(std::string(call) + ": the stream captures, and this waits");
}

void do_on_emulated_device(DeviceStream stream, const std::string& note,
                           std::function<void()> work) {
  const Capture capture = capture_of(stream);
  if (capture.graph == nullptr) return work();
  capture.graph->nodes.push_back(std::move(work));
  if (!note.empty()) capture.kernels->append(note).append(" ");
}

void launch_on_emulated_device(DeviceStream stream, const char* name, const std::string& note,
                               std::function<void()> run) {
  if (!captures_on_emulated_device(stream)) {
    tell_fault_on_emulated_device(name);
    ++emulated_device().n_launch;
    return run();
  }
  if (name == emulated_device().unrecorded_kernel)
    throw RuntimeError(std::string("emulated device: the launch of ") + name +
                       " cannot be recorded");
  do_on_emulated_device(stream, note, std::move(run));
}

bool is_faulty_on_emulated_device(const char* name) {
  if (name == emulated_device().faulty_kernel) {
    fail_on_emulated_device("an illegal memory access was encountered");
    return true;
  }
  return name == emulated_device().dropped_kernel;
}

void tell_time_on_emulated_device(std::int64_t* ns, DeviceStream stream) {
  do_on_emulated_device(stream, "", [ns] {
    *ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
              std::chrono::steady_clock::now().time_since_epoch())
              .count();
  });
}

}  // namespace nodia
