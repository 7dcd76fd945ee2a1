/// Arrays aligned for vector registers; long arrays use large pages.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace nodia {

template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::size_t kLine = 64, kLargePage = std::size_t{2} << 20;

  AlignedAllocator() = default;
  template <class U>
  explicit AlignedAllocator(const AlignedAllocator<U>&) {}

  T* allocate(std::size_t n) {
    const std::size_t wanted = n * sizeof(T);
    const std::size_t alignment = wanted >= kLargePage / 4 ? kLargePage : kLine;
    const std::size_t bytes = (wanted + alignment - 1) / alignment * alignment;
    void* p = std::aligned_alloc(alignment, bytes);
    if (p == nullptr) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
    if (alignment == kLargePage) madvise(p, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t) {
    std::free(p);
  }
  bool operator==(const AlignedAllocator&) const {
    return true;
  }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace nodia
