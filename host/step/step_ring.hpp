/// Steps that were launched on a device and whose records the host has not taken.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "host/problem/steps_ahead.hpp"
#include "kernels/core/error.hpp"
#include "kernels/device/loop_launcher.hpp"

namespace nodia {

/// Oldest first; each has a page of its own, [0, kSteps), for what it brings and tells.
class StepRing {
 public:
  static constexpr int kSteps = 1 + StepsAhead::kMost;

  StepRing() = default;
  StepRing(const StepRing&) = delete;
  StepRing& operator=(const StepRing&) = delete;
  /// Waits: what they write to must be there as long.
  ~StepRing() {
    if (size_ == 0) return;
    try {
      end(size_ - 1)->wait("steps ahead");
    } catch (const RuntimeError&) {  // who destroys it has been told
    }
  }

  int size() const { return size_; }
  /// Page of the k-th, k in [0, size()); size(): of the next one.
  int page(int k) const { return (first_ + k) % kSteps; }

  /// The next one was launched in the stream, with the copy of its record.
  void push(const char* what, DeviceStream stream) {
    std::unique_ptr<OwnedEvent>& next = end(size_);
    if (!next) next = std::make_unique<OwnedEvent>(what);
    next->record(stream);
    ++size_;
  }
  /// Waits for the first. Half of the ring is waited for at once, so that the device has the other
  /// half to do while the host takes records.
  /// @throws RuntimeError naming `what` where work of the stream failed
  void wait(const char* what) {
    if (n_ended_ > 0) return;
    const int n = size_ < kSteps / 2 ? size_ : kSteps / 2;
    wait_in_loop(what, *end(n - 1));
    n_ended_ = n;
  }
  /// The first is no longer here.
  void pop() {
    --size_;
    --n_ended_;
    first_ = size_ == 0 ? 0 : page(1);
  }
  /// None is here any longer: all have ended.
  void clear() { first_ = size_ = n_ended_ = 0; }

 private:
  std::unique_ptr<OwnedEvent>& end(int k) { return end_[static_cast<std::size_t>(page(k))]; }

  int first_ = 0, size_ = 0;
  int n_ended_ = 0;  ///< of them, so many are known to have ended
  std::array<std::unique_ptr<OwnedEvent>, kSteps> end_;
};

}  // namespace nodia
