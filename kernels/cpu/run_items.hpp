/// Definition of run_items, for the files kernel_list.cpp in which an algorithm lists its kernels.
/// kernels/CMakeLists.txt compiles each of them once per instruction set, NODIA_KERNEL_ISA.
#pragma once

#include "kernels/cpu/cpu_launcher.hpp"

namespace nodia {

template <class Isa, class Kernel>
void run_items(const Kernel& kernel, int begin, int end) {
  for (int item = begin; item < end; ++item) run_item<Isa>(kernel, item);
}

}  // namespace nodia

/// Compiles a kernel; its type may hold commas.
#define NODIA_RUN_ITEMS(...) \
  template void run_items<NODIA_KERNEL_ISA, __VA_ARGS__>(const __VA_ARGS__&, int, int)
