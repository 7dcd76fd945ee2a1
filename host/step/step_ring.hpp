/// Queue of steps that run on a device and whose reports the host has not read.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "host/problem/prefetched_steps.hpp"
#include "kernels/core/error.hpp"
#include "kernels/device/loop_launcher.hpp"

namespace nodia {

/// Ring of steps, oldest first. Each step has a page in [0, kSteps) for its uploads and its report.
class StepRing {
 public:
  static constexpr int kSteps = 1 + PrefetchedSteps::kMost;

  StepRing() = default;
  StepRing(const StepRing&) = delete;
  StepRing& operator=(const StepRing&) = delete;
  /// Waits for the steps, because they write to memory that must stay valid.
  ~StepRing() {
    if (size_ == 0) return;
    try {
      end(size_ - 1)->wait("steps ahead");
    } catch (const RuntimeError&) {  // the owner has already received the error
    }
  }

  int size() const { return size_; }
  /// Page of the k-th step, k in [0, size()); size() gives the page of the next step.
  int page(int k) const { return (first_ + k) % kSteps; }

  /// Adds a step that was launched in the stream, with the download of its report.
  void push(const char* what, DeviceStream stream) {
    std::unique_ptr<OwnedEvent>& next = end(size_);
    if (!next) next = std::make_unique<OwnedEvent>(what);
    next->record(stream);
    ++size_;
  }
  /// Waits for the first step. It waits for half of the ring at once, so that the device works on
  /// the other half while the host reads reports.
  /// @throws RuntimeError naming `what` if work of the stream failed
  void wait(const char* what) {
    if (n_ended_ > 0) return;
    const int n = size_ < kSteps / 2 ? size_ : kSteps / 2;
    wait_in_loop(what, *end(n - 1));
    n_ended_ = n;
  }
  /// Removes the first step.
  void pop() {
    --size_;
    --n_ended_;
    first_ = size_ == 0 ? 0 : page(1);
  }
  /// Removes all steps, which must have ended.
  void clear() { first_ = size_ = n_ended_ = 0; }

 private:
  std::unique_ptr<OwnedEvent>& end(int k) { return end_[static_cast<std::size_t>(page(k))]; }

  int first_ = 0, size_ = 0;
  int n_ended_ = 0;  ///< number of first steps that are known to have ended
  std::array<std::unique_ptr<OwnedEvent>, kSteps> end_;
};

}  // namespace nodia
