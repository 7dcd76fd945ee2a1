#pragma once

/// NODIA_HD marks a function with one source for host and device, which is always inlined: a call
/// would pass a Vec3 through memory, which costs more than most of these functions. NODIA_COLD
/// marks a function that is not inlined because it is large and rarely called. It has internal
/// linkage, so that code of one instruction set is never linked into code of another.
#if defined(__CUDACC__)
#define NODIA_HD __host__ __device__ __forceinline__
#define NODIA_COLD static __host__ __device__
#else
#define NODIA_HD inline __attribute__((always_inline))
#define NODIA_COLD static __attribute__((noinline))
#endif

/// No other pointer in the scope refers to the pointer's target.
#define NODIA_RESTRICT __restrict__
