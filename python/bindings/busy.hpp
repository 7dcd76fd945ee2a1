/// One caller at a time.
#pragma once

#include <atomic>

#include "kernels/core/error.hpp"

namespace nodia::python {

/// Nobody else steps, changes or looks while it lives.
class Busy {
 public:
  /// @throws RuntimeError while there is another
  explicit Busy(std::atomic<bool>* busy) : busy_(*busy) {
    if (busy_.exchange(true)) refuse();
  }
  ~Busy() { busy_ = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

  /// For a look, which needs no guard. @throws as above
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
