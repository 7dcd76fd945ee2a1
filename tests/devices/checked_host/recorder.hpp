/// Launches kernels on the checked host backend, or records them with their arguments.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "kernels/cpu/cpu_launcher.hpp"
#include "tests/devices/checked_host/capture.hpp"
#include "tests/devices/checked_host/launch.hpp"
#include "tests/devices/race_detector/launcher.hpp"

namespace nodia {

/// Runs one kernel, for a direct launch or in a recording.
template <class Kernel, class Count>
void run_on_checked_host(const char* name, const Kernel& kernel, Count n_item) {
  const CheckedHostOwnTime time;
  if (is_faulty_on_checked_host(name)) return;
  if (RaceDetector* detector = checked_host().detector; detector != nullptr)
    detector->launch(name, kernel, n_item);
  else
    CpuLauncher(chosen_isa(), 1).launch(name, kernel, n_item);
}

/// Launches kernels in a stream. Waits for each kernel if the queue says so.
struct CheckedHostLauncher {
  DeviceQueue queue;

  template <class Kernel, class Count>
  void launch(const char* name, const Kernel& kernel, Count n_item) const {
    launch_on_checked_host(queue.stream, name, noted(name, n_item),
                           [=] { run_on_checked_host(name, kernel, n_item); });
    if (queue.waits_for_kernels) synchronize_device(name, queue.stream);
  }

 private:
  /// Name of a launch with its number of blocks, if the host knows it.
  static std::string noted(const char* name, int n_item) {
    return std::string(name) + "(" + std::to_string(n_item) + ")";
  }
  static std::string noted(const char* name, const std::int32_t*) { return name; }
};

class CheckedHostRecording {
 public:
  void launch(const char* what) const {
    report_fault_on_checked_host(what);
    ++checked_host().n_graph_launch;
    graph_.run();
  }

 private:
  friend class CheckedHostRecorder;

  CheckedHostGraph graph_;
};

/// Records launches, as GraphRecorder does.
class CheckedHostRecorder {
 public:
  /// @param stream   captures during the lifetime of the recorder
  /// @param n_block  blocks of the launches whose items are counted on the device
  /// @param loop     start time of the loop [ns]
  CheckedHostRecorder(DeviceStream stream, int n_block, std::int64_t* loop)
      : stream_(stream), loop_(loop), kernels_(std::to_string(n_block) + " blocks: ") {
    capture_into(&recording_.graph_);
  }
  CheckedHostRecorder(const CheckedHostRecorder&) = delete;
  CheckedHostRecorder& operator=(const CheckedHostRecorder&) = delete;
  ~CheckedHostRecorder() { capture_into(nullptr); }

  template <class Kernel, class Count>
  void launch(const char* name, const Kernel& kernel, Count n_item) {
    CheckedHostLauncher{{stream_}}.launch(name, kernel, n_item);
  }
  template <class Launches>
  void in_stream(const Launches& launches) {
    launches();
  }
  void begin_loop() { report_time(loop_); }
  void report_time(std::int64_t* ns) { report_time_on_checked_host(ns, stream_); }
  /// Mimics the conditional node of a CUDA graph: the first body is unconditional.
  template <class Body>
  void repeat_while(LoopCondition* condition, const Body& body) {
    add_part("while ", body, [condition](const CheckedHostGraph& part) {
      do part.run();
      while (another_body(condition));
    });
  }
  template <class Body>
  void when(const std::int32_t* flag, const Body& body) {
    add_part("when ", body, [flag](const CheckedHostGraph& part) {
      if (*flag != 0) part.run();
    });
  }

  /// Ends the recording. Call it once, last.
  CheckedHostRecording take() {
    capture_into(nullptr);
    note_checked_host_recording(std::move(kernels_));
    return std::move(recording_);
  }

 private:
  void capture_into(CheckedHostGraph* graph) {
    into_ = graph;
    capture_on_checked_host(stream_, graph, &kernels_);
  }
  template <class Body, class Run>
  void add_part(const char* note, const Body& body, const Run& run) {
    CheckedHostGraph part;
    CheckedHostGraph* const outer = into_;
    capture_into(&part);
    kernels_ += note;
    body();
    kernels_ += "end ";
    capture_into(outer);
    outer->nodes.emplace_back([part = std::move(part), run] { run(part); });
  }

  DeviceStream stream_;
  std::int64_t* loop_;
  CheckedHostRecording recording_;
  std::string kernels_;
  CheckedHostGraph* into_ = nullptr;
};

}  // namespace nodia
