/// Calls of operator new, counted. Replaces it: one file of a program includes this.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

namespace nodia::test {

/// Of all threads since the program began; allocations with an alignment of their own not.
inline std::atomic<long> n_new{0};

}  // namespace nodia::test

// Out of line: where free stands beside an operator new, the compiler warns of a mismatch.
// The one that does not throw too: a sanitizer has its own, whose memory is not free's.
__attribute__((noinline)) void* operator new(std::size_t n_byte, const std::nothrow_t&) noexcept {
  nodia::test::n_new.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(n_byte > 0 ? n_byte : 1);
}
__attribute__((noinline)) void* operator new(std::size_t n_byte) {
  void* const memory = operator new(n_byte, std::nothrow);
  if (!memory) throw std::bad_alloc();
  return memory;
}
__attribute__((noinline)) void operator delete(void* memory) noexcept {
  std::free(memory);
}
__attribute__((noinline)) void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
