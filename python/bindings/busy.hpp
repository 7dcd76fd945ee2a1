/// Guard that admits one caller at a time.
#pragma once

#include <atomic>

#include "kernels/core/error.hpp"

namespace nodia::python {

/// While an object exists, no other caller can step, change or read the simulation.
class Busy {
 public:
  /// @throws RuntimeError if another guard exists
  explicit Busy(std::atomic<bool>* busy) : busy_(*busy) {
    if (busy_.exchange(true)) refuse();
  }
  ~Busy() { busy_ = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

  /// Check before a read, which needs no guard. @throws RuntimeError if a guard exists
  static void require_none(const std::atomic<bool>& busy) {
    if (busy) refuse();
  }

 private:
  [[noreturn]] static void refuse() {
    throw RuntimeError("the simulation is being stepped by another thread (wait for it)");
  }

  std::atomic<bool>& busy_;
};

}  // namespace nodia::python
