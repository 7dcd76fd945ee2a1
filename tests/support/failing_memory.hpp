/// Memory that is full when a test says so. Replaces operator new: one file of a program includes
/// it. The address sanitizer replaces operator new itself: its builds have no such tests.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

namespace nodia::test {

/// Allocations by operator new that are good before one fails; negative: none fails.
inline std::atomic<long> n_good_allocations{-1};

/// While it lives, `n` allocations of all threads are good, then one fails, then all are good.
class FailingMemory {
 public:
  explicit FailingMemory(long n) { n_good_allocations = n; }
  ~FailingMemory() { n_good_allocations = -1; }
  FailingMemory(const FailingMemory&) = delete;
  FailingMemory& operator=(const FailingMemory&) = delete;

  bool has_failed() const { return n_good_allocations < 0; }
};

}  // namespace nodia::test

#if !defined(__SANITIZE_ADDRESS__)
// Out of line: where free stands beside an operator new, the compiler warns of a mismatch.
__attribute__((noinline)) void* operator new(std::size_t n_byte) {
  using nodia::test::n_good_allocations;
  const bool fails = n_good_allocations >= 0 && n_good_allocations.fetch_sub(1) == 0;
  void* const memory = fails ? nullptr : std::malloc(n_byte > 0 ? n_byte : 1);
  if (!memory) throw std::bad_alloc();
  return memory;
}
__attribute__((noinline)) void operator delete(void* memory) noexcept {
  std::free(memory);
}
__attribute__((noinline)) void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
#endif
