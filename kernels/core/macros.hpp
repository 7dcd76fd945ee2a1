#pragma once

/// NODIA_HD marks a function that exists once and runs on the host and on the device.
#if defined(__CUDACC__)
#define NODIA_HD __host__ __device__ __forceinline__
#else
#define NODIA_HD inline
#endif
