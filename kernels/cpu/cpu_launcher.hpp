/// Launcher of kernels on the CPU: items run in threads, lanes in vector registers.
#pragma once

#include <cstdint>

#include "kernels/cpu/isa.hpp"
#include "kernels/launch/kernel.hpp"
#include "kernels/launch/loop_condition.hpp"

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace nodia {

/// Runs items [begin, end) in this thread. Compiled once per instruction set for the kernels that a
/// kernel_list.cpp names; other kernels give the undefined reference run_items<..., Kernel>.
template <class Isa, class Kernel>
void run_items(const Kernel& kernel, int begin, int end);

class CpuLauncher {
 public:
  /// @param n_thread  threads of a launch; 1 runs in the calling thread without an OpenMP region
  CpuLauncher(CpuIsa isa, int n_thread) : isa_(isa), n_thread_(n_thread) {}

  template <class Kernel>
  void launch(const char*, const Kernel& kernel, int n_item) const {
    const int n_thread = n_thread_ < n_item ? n_thread_ : n_item;
    if (n_thread <= 1) {
      run(kernel, 0, n_item);
      return;
    }
#pragma omp parallel num_threads(n_thread)
    {
      const std::int64_t thread = omp_get_thread_num(), n = omp_get_num_threads();
      run(kernel, static_cast<int>(thread * n_item / n),
          static_cast<int>((thread + 1) * n_item / n));
    }
  }
  template <class Kernel>
  void launch(const char* name, const Kernel& kernel, const std::int32_t* n_item) const {
    launch(name, kernel, *n_item);
  }

  template <class Body>
  void repeat_while(LoopCondition* condition, const Body& body) const {
    repeat_on_host(condition, body);
  }

 private:
  template <class Kernel>
  void run(const Kernel& kernel, int begin, int end) const {
    switch (isa_) {
#if defined(NODIA_AVX512_KERNELS)
      case CpuIsa::avx512:
        run_items<Avx512>(kernel, begin, end);
        return;
#endif
#if defined(NODIA_AVX2_KERNELS)
      case CpuIsa::avx2:
        run_items<Avx2>(kernel, begin, end);
        return;
#endif
      default:
        run_items<Portable>(kernel, begin, end);
    }
  }

  CpuIsa isa_;
  int n_thread_;
};

}  // namespace nodia
