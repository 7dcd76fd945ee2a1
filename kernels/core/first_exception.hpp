/// Exceptions of the iterations of an OpenMP loop, which end the program where they leave it.
#pragma once

#include <exception>
#include <mutex>

namespace nodia {

/// Keeps what iterations throw until the loop is over:
///
///   FirstException thrown;
///   #pragma omp parallel for
///   for (int i = 0; i < n; ++i) thrown.guard(i, [&] { work(i); });
///   thrown.rethrow();
class FirstException {
 public:
  /// Calls f(). What it throws is kept, where no lower i has thrown. From any thread.
  template <class F>
  void guard(int i, const F& f) noexcept {
    try {
      f();
    } catch (...) {
      keep(i, std::current_exception());
    }
  }

  /// Throws what the lowest i has thrown; nothing where none has. After the loop.
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
