/// Launching the named functors on the device, seen from the host without CUDA types.
///
/// These are declarations: kernels/device/launch.cuh defines them and kernels/device/functors.cu
/// compiles them for the functors listed there.
#pragma once

#include <string>

#include "kernels/core/launch.hpp"

struct CUstream_st;

namespace nodia {

/// A CUDA stream; null is the default stream.
using DeviceStream = CUstream_st*;

/// Calls `f(i)` for 0 <= i < n on the device and returns without waiting. Pointers in `f` are
/// device pointers. A failed launch throws RuntimeError that names the kernel; a fault while it
/// runs is thrown by the next checked call, or here in a debug build.
/// @param name  the kernel's name in errors
template <class Functor>
void launch_device(const char* name, int n, const Functor& f, DeviceStream stream = nullptr);

/// Values of workspace that ordered_sum_device needs: the sums of every level.
inline int ordered_sum_workspace(int n) {
  int total = 0;
  do {
    n = chunk_count(n);
    total += n;
  } while (n > 1);
  return total;
}

/// Sum over 0 <= i < n of `f(i)` on the device, with the bits of ordered_sum; waits for it.
/// @param workspace  device memory, ordered_sum_workspace(n) values
template <class Functor>
double ordered_sum_device(const char* name, int n, const Functor& f, double* workspace,
                          DeviceStream stream = nullptr);

/// Waits for the stream; throws RuntimeError naming `what` where its work failed.
void synchronize_device(const std::string& what, DeviceStream stream = nullptr);

#if !defined(NODIA_WITH_CUDA)
namespace detail {
[[noreturn]] void throw_no_device(const std::string& what);
}
template <class Functor>
void launch_device(const char* name, int, const Functor&, DeviceStream) {
  detail::throw_no_device(name);
}
template <class Functor>
double ordered_sum_device(const char* name, int, const Functor&, double*, DeviceStream) {
  detail::throw_no_device(name);
}
#endif

}  // namespace nodia
