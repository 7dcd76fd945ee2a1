/// Loops of kernels on the emulated device: launched, or recorded with the launches' arguments as a
/// CUDA graph holds them.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/error.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/emulated/emulated_device.hpp"
#include "kernels/mimic/launcher.hpp"

namespace nodia {

/// One kernel, by the host or in a recording.
template <class Kernel, class Count>
void run_on_emulated_device(const char* name, const Kernel& kernel, Count n_item) {
  const EmulatedOwnTime time;
  if (name == emulated_device().faulty_kernel)
    fail_on_emulated_device("an illegal memory access was encountered");
  else if (name != emulated_device().dropped_kernel) {
    if (MimicLauncher* mimic = emulated_device().mimic; mimic != nullptr)
      mimic->launch(name, kernel, n_item);
    else
      CpuLauncher(chosen_isa(), 1).launch(name, kernel, n_item);
  }
}

/// A launcher that runs at once. A launch tells of a fault before it, as CUDA's do.
struct EmulatedLauncher {
  template <class Kernel, class Count>
  void launch(const char* name, const Kernel& kernel, Count n_item) const {
    tell_fault_on_emulated_device(name);
    run_on_emulated_device(name, kernel, n_item);
  }
};

class EmulatedRecording {
 public:
  /// What comes before the loop.
  void run_before() const {
    tell_fault_on_emulated_device("the graph before the loop");
    run(before_);
  }
  void run_loop() const {
    tell_fault_on_emulated_device("the graph of the loop");
    run(loop_);
  }

 private:
  friend class EmulatedRecorder;
  using Graph = std::vector<std::function<void()>>;  ///< launches, and loops of them

  static void run(const Graph& graph) {
    for (const auto& node : graph) node();
  }

  Graph before_, loop_;
};

/// A launcher that records.
class EmulatedRecorder {
 public:
  /// @param n_block  of the launches over items that are counted on the device
  explicit EmulatedRecorder(int n_block) : kernels_(std::to_string(n_block) + " blocks: ") {}

  template <class Kernel, class Count>
  void launch(const char* name, const Kernel& kernel, Count n_item) {
    if (name == emulated_device().unrecorded_kernel)
      throw RuntimeError(std::string("emulated device: the launch of ") + name +
                         " cannot be recorded");
    kernels_.append(name).append(" ");
    into_->push_back([=] { run_on_emulated_device(name, kernel, n_item); });
  }
  void begin_loop() { into_ = &recording_.loop_; }
  /// As the conditional node of a CUDA graph: the first body is unconditional.
  template <class Body>
  void repeat_while(LoopCondition* condition, const Body& body) {
    EmulatedRecording::Graph nodes;
    EmulatedRecording::Graph* const outer = std::exchange(into_, &nodes);
    kernels_ += "while ";
    body();
    kernels_ += "end ";
    into_ = outer;
    into_->push_back([condition, nodes] {
      do EmulatedRecording::run(nodes);
      while (another_body(condition));
    });
  }

  /// Once, as the last.
  EmulatedRecording take() {
    note_emulated_recording(std::move(kernels_));
    return std::move(recording_);
  }

 private:
  EmulatedRecording recording_;
  std::string kernels_;
  EmulatedRecording::Graph* into_ = &recording_.before_;
};

}  // namespace nodia
