#pragma once

/// NODIA_HD marks a function that exists once and runs on the host and on the device, inlined where
/// it is called: a Vec3 passed by call goes through memory, which costs more than most of these
/// functions. NODIA_COLD marks one that stays out of line, because it is large and rare; it has
/// internal linkage, so that code of one instruction set is never linked into that of another.
#if defined(__CUDACC__)
#define NODIA_HD __host__ __device__ __forceinline__
#define NODIA_COLD static __host__ __device__
#else
#define NODIA_HD inline __attribute__((always_inline))
#define NODIA_COLD static __attribute__((noinline))
#endif

/// The pointer's target is reached through no other pointer in its scope.
#define NODIA_RESTRICT __restrict__
