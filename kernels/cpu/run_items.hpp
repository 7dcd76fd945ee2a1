/// Definition of run_items, for the kernel_list.cpp files of the algorithms. kernels/CMakeLists.txt
/// compiles each of them once per instruction set, NODIA_KERNEL_ISA.
#pragma once

#include "kernels/cpu/cpu_launcher.hpp"

namespace nodia {

template <class Isa, class Kernel>
void run_items(const Kernel& kernel, int begin, int end) {
  for (int item = begin; item < end; ++item) run_item<Isa>(kernel, item);
}

/// Launcher that runs nothing; it instantiates run_items for the kernels that it receives.
template <class Isa>
struct KernelCompiler {
  template <class Kernel, class Count>
  void launch(const char*, const Kernel&, Count) {
    using RunItems = void (*)(const Kernel&, int, int);
    const volatile RunItems compiled = &run_items<Isa, Kernel>;
    static_cast<void>(compiled);
  }
  template <class Body>
  void repeat_while(LoopCondition*, const Body& body) {
    body();
  }
};

}  // namespace nodia

/// Instantiates a kernel, whose type may contain commas.
#define NODIA_RUN_ITEMS(...) \
  template void run_items<NODIA_KERNEL_ISA, __VA_ARGS__>(const __VA_ARGS__&, int, int)
