/// Passes exceptions out of an OpenMP loop. An exception that leaves an iteration ends the program.
#pragma once

#include <exception>
#include <mutex>

namespace nodia {

/// Stores the exception of an iteration until the end of the loop:
///
///   FirstException thrown;
///   #pragma omp parallel for
///   for (int i = 0; i < n; ++i) thrown.guard(i, [&] { work(i); });
///   thrown.rethrow();
class FirstException {
 public:
  /// Calls f(), and stores its exception unless a lower i has thrown. Any thread may call it.
  template <class F>
  void guard(int i, const F& f) noexcept {
    try {
      f();
    } catch (...) {
      keep(i, std::current_exception());
    }
  }

  /// Throws the stored exception, that of the lowest i, if there is one. Call it after the loop.
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  void keep(int i, const std::exception_ptr& exception) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (exception_ && i_ < i) return;
    exception_ = exception;
    i_ = i;
  }

  std::mutex mutex_;
  std::exception_ptr exception_;
  int i_ = 0;
};

}  // namespace nodia
