/// Memory interface of kernels. Every load and store of a kernel of kernels/launch/kernel.hpp uses
/// a Memory, so a launcher can record the accesses.
///
/// Vectors of nodes are padded to four scalars per node (x, y, z, 0) and aligned to four scalars:
/// one aligned load reads a node.
#pragma once

#include <cstring>
#include <utility>

#include "kernels/core/pack.hpp"

namespace nodia {

/// Scalars from one node to the next.
inline constexpr int kNodeStride = 4;

/// Direct access. Interface of every Memory:
///   read, write       one object
///   read_in_place     one object that is not written meanwhile, without a copy if possible
///   read_members      like read_in_place, for few members: a device reads them into registers
///   load, store       one scalar per lane, consecutive
///   load_node,
///   store_node        one vector per lane, of consecutive nodes
///   load_unpadded_node  one vector per lane, of consecutive nodes of three scalars
///   gather_node       one vector per lane, at consecutive entries of `offset`, kNodeStride times
///                     the node's index
struct DirectMemory {
  template <class T>
  NODIA_HD T read(const T* p) const {
    return *p;
  }
  template <class T>
  NODIA_HD const T& read_in_place(const T* p) const {
    return *p;
  }
#if defined(__CUDACC__)
  template <class T>
  NODIA_HD T read_members(const T* p) const {
    return *p;
  }
#else  // g++ would copy all of it
  template <class T>
  const T& read_members(const T* p) const {
    return *p;
  }
#endif
  template <class T>
  NODIA_HD void write(T* p, T value) const {
    *p = value;
  }

  template <class P>
  NODIA_HD P load(const Scalar<P>* p) const;
  template <class P>
  NODIA_HD void store(Scalar<P>* p, P value) const;
  template <class P>
  NODIA_HD Vec3<P> load_node(const Scalar<P>* nodes, int first) const;
  template <class P>
  NODIA_HD Vec3<P> load_unpadded_node(const Scalar<P>* nodes, int first) const;
  template <class P>
  NODIA_HD void store_node(Scalar<P>* nodes, int first, Vec3<P> value) const;
  template <class P>
  NODIA_HD Vec3<P> gather_node(const Scalar<P>* nodes, const std::int32_t* offset) const;
};

namespace detail {

#if !defined(__CUDACC__)
template <class P>
struct IsPack : std::false_type {};
template <class T, class Isa>
struct IsPack<Pack<T, Isa>> : std::true_type {};

/// Joins rows of 4 scalars at at(0), at(4), at(8), ... in one register.
template <class T, int kBytes, class At>
NODIA_HD auto join_rows(const At& at) {
  typedef T Row __attribute__((vector_size(4 * sizeof(T)), may_alias));
  typedef T Part __attribute__((vector_size(kBytes), may_alias));
  const auto row = [&](int g) { return *reinterpret_cast<const Row*>(at(4 * g)); };
  constexpr int kRows = kBytes / static_cast<int>(sizeof(Row));
  if constexpr (kRows == 1) return Part(row(0));
#if defined(__AVX512DQ__)
  if constexpr (kRows == 2 && sizeof(T) == 8)
    return Part(_mm512_maskz_insertf64x4(0xff, _mm512_castpd256_pd512(row(0)), row(1), 1));
  if constexpr (kRows == 4 && sizeof(T) == 4) {
    __m512 joined = _mm512_castps128_ps512(row(0));
    joined = _mm512_maskz_insertf32x4(0xffff, joined, row(1), 1);
    joined = _mm512_maskz_insertf32x4(0xffff, joined, row(2), 2);
    return Part(_mm512_maskz_insertf32x4(0xffff, joined, row(3), 3));
  }
#endif
#if defined(__AVX__)
  if constexpr (kRows == 2 && sizeof(T) == 4)
    return Part(_mm256_insertf128_ps(_mm256_castps128_ps256(row(0)), row(1), 1));
#endif
}

/// x, y and z of a register of nodes with addresses at(lane), by transposing 4x4 tiles.
template <class T, int kBytes, class At>
NODIA_HD void transpose_tiles(const At& at, void* x_out, void* y_out, void* z_out) {
  typedef T Part __attribute__((vector_size(kBytes), may_alias));
  constexpr int kLanes = kBytes / sizeof(T);
  auto* x = static_cast<Part*>(x_out);
  auto* y = static_cast<Part*>(y_out);
  auto* z = static_cast<Part*>(z_out);
  // Row q holds nodes q, q + 4, q + 8, ...
  const auto shifted = [&](int q) {
    return join_rows<T, kBytes>([&](int l) { return at(q + l); });
  };
  const Part a = shifted(0), b = shifted(1), c = shifted(2), d = shifted(3);
  if constexpr (kLanes == 4) {
    const Part xz_low = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    const Part xz_high = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    const Part y_low = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Part y_high = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    *x = __builtin_shufflevector(xz_low, xz_high, 0, 1, 4, 5);
    *y = __builtin_shufflevector(y_low, y_high, 0, 1, 4, 5);
    *z = __builtin_shufflevector(xz_low, xz_high, 2, 3, 6, 7);
  } else if constexpr (kLanes == 8 && sizeof(T) == 8) {
    const Part xz_low = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
    const Part xz_high = __builtin_shufflevector(c, d, 0, 8, 2, 10, 4, 12, 6, 14);
    const Part y_low = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    const Part y_high = __builtin_shufflevector(c, d, 1, 9, 3, 11, 5, 13, 7, 15);
    *x = __builtin_shufflevector(xz_low, xz_high, 0, 1, 8, 9, 4, 5, 12, 13);
    *y = __builtin_shufflevector(y_low, y_high, 0, 1, 8, 9, 4, 5, 12, 13);
    *z = __builtin_shufflevector(xz_low, xz_high, 2, 3, 10, 11, 6, 7, 14, 15);
  } else if constexpr (kLanes == 8) {
    const Part xy_low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    const Part xy_high = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
    const Part z_low = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
    const Part z_high = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
    *x = __builtin_shufflevector(xy_low, xy_high, 0, 1, 8, 9, 4, 5, 12, 13);
    *y = __builtin_shufflevector(xy_low, xy_high, 2, 3, 10, 11, 6, 7, 14, 15);
    *z = __builtin_shufflevector(z_low, z_high, 0, 1, 8, 9, 4, 5, 12, 13);
  } else {
    static_assert(kLanes == 16);
    const Part xy_low =
        __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    const Part xy_high =
        __builtin_shufflevector(c, d, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    const Part z_low =
        __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
    const Part z_high =
        __builtin_shufflevector(c, d, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
    *x = __builtin_shufflevector(xy_low, xy_high, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13,
                                 28, 29);
    *y = __builtin_shufflevector(xy_low, xy_high, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14,
                                 15, 30, 31);
    *z = __builtin_shufflevector(z_low, z_high, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13,
                                 28, 29);
  }
}

/// Transposes nodes for any register width.
template <class T, int kBytes, class At>
NODIA_HD void transpose_in(const At& at, void* x, void* y, void* z) {
  typedef T Part __attribute__((vector_size(kBytes), may_alias));
  if constexpr (kBytes == 2 * sizeof(T)) {
    *static_cast<Part*>(x) = Part{at(0)[0], at(1)[0]};
    *static_cast<Part*>(y) = Part{at(0)[1], at(1)[1]};
    *static_cast<Part*>(z) = Part{at(0)[2], at(1)[2]};
  } else {
    transpose_tiles<T, kBytes>(at, x, y, z);
  }
}

/// Every third scalar of three consecutive registers, starting at `offset`.
template <int offset, class Part, int... lane>
NODIA_HD Part every_third(const Part (&in)[3], std::integer_sequence<int, lane...>) {
  constexpr int kLanes = sizeof...(lane);
  const Part two = __builtin_shufflevector(
      in[0], in[1], (offset + 3 * lane < 2 * kLanes ? offset + 3 * lane : 0)...);
  return __builtin_shufflevector(
      two, in[2], (offset + 3 * lane < 2 * kLanes ? lane : offset + 3 * lane - kLanes)...);
}

/// Reverse transpose: rows (x, y, z, 0) of consecutive nodes.
template <class T, int kBytes>
NODIA_HD void transpose_out(const void* x, const void* y, const void* z, T* out) {
  constexpr int kLanes = kBytes / sizeof(T);
  typedef T Part __attribute__((vector_size(kBytes), may_alias));
  typedef T Rows __attribute__((vector_size(kBytes), may_alias, aligned(4 * sizeof(T))));
  const Part a = *static_cast<const Part*>(x), b = *static_cast<const Part*>(y),
             c = *static_cast<const Part*>(z);
  const Part zero{};
  if constexpr (kLanes == 2) {
    for (int l = 0; l < kLanes; ++l) {
      out[4 * l] = a[l];
      out[4 * l + 1] = b[l];
      out[4 * l + 2] = c[l];
      out[4 * l + 3] = 0;
    }
  } else if constexpr (kLanes == 4) {
    const Part xy_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const Part xy_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Part z_low = __builtin_shufflevector(c, zero, 0, 4, 1, 5);
    const Part z_high = __builtin_shufflevector(c, zero, 2, 6, 3, 7);
    Rows* row = reinterpret_cast<Rows*>(out);
    row[0] = __builtin_shufflevector(xy_low, z_low, 0, 1, 4, 5);
    row[1] = __builtin_shufflevector(xy_low, z_low, 2, 3, 6, 7);
    row[2] = __builtin_shufflevector(xy_high, z_high, 0, 1, 4, 5);
    row[3] = __builtin_shufflevector(xy_high, z_high, 2, 3, 6, 7);
  } else if constexpr (kLanes == 8) {
    const Part xy_low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    const Part xy_high = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    const Part z_low = __builtin_shufflevector(c, zero, 0, 8, 1, 9, 2, 10, 3, 11);
    const Part z_high = __builtin_shufflevector(c, zero, 4, 12, 5, 13, 6, 14, 7, 15);
    Rows* row = reinterpret_cast<Rows*>(out);
    row[0] = __builtin_shufflevector(xy_low, z_low, 0, 1, 8, 9, 2, 3, 10, 11);
    row[1] = __builtin_shufflevector(xy_low, z_low, 4, 5, 12, 13, 6, 7, 14, 15);
    row[2] = __builtin_shufflevector(xy_high, z_high, 0, 1, 8, 9, 2, 3, 10, 11);
    row[3] = __builtin_shufflevector(xy_high, z_high, 4, 5, 12, 13, 6, 7, 14, 15);
  } else {
    static_assert(kLanes == 16);
    const Part xy_low =
        __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const Part xy_high =
        __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    const Part z_low =
        __builtin_shufflevector(c, zero, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const Part z_high = __builtin_shufflevector(c, zero, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13,
                                                29, 14, 30, 15, 31);
    Rows* row = reinterpret_cast<Rows*>(out);
    row[0] = __builtin_shufflevector(xy_low, z_low, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7,
                                     22, 23);
    row[1] = __builtin_shufflevector(xy_low, z_low, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29,
                                     14, 15, 30, 31);
    row[2] = __builtin_shufflevector(xy_high, z_high, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6,
                                     7, 22, 23);
    row[3] = __builtin_shufflevector(xy_high, z_high, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29,
                                     14, 15, 30, 31);
  }
}
#endif

/// Promises the device compiler that p points to global memory. It cannot see that for a pointer
/// that was loaded, and would emit generic loads.
NODIA_HD void assume_global([[maybe_unused]] const void* p) {
#if defined(__CUDA_ARCH__)
  __builtin_assume(__isGlobal(p));
#endif
}

#if defined(__CUDA_ARCH__)
/// Loads a node with the widest loads of the device: four floats or two doubles.
NODIA_HD Vec3<float> load_padded(const float* p) {
  assume_global(p);
  const float4 a = *reinterpret_cast<const float4*>(p);
  return {a.x, a.y, a.z};
}
NODIA_HD Vec3<double> load_padded(const double* p) {
  assume_global(p);
  const double2 a = *reinterpret_cast<const double2*>(p);
  return {a.x, a.y, p[2]};
}
NODIA_HD void store_padded(float* p, Vec3<float> value) {
  *reinterpret_cast<float4*>(p) = float4{value.x, value.y, value.z, 0};
}
NODIA_HD void store_padded(double* p, Vec3<double> value) {
  *reinterpret_cast<double2*>(p) = double2{value.x, value.y};
  *reinterpret_cast<double2*>(p + 2) = double2{value.z, 0};
}
#else
template <class T>
NODIA_HD Vec3<T> load_padded(const T* p) {
  return {p[0], p[1], p[2]};
}
template <class T>
NODIA_HD void store_padded(T* p, Vec3<T> value) {
  p[0] = value.x;
  p[1] = value.y;
  p[2] = value.z;
  p[3] = 0;
}
#endif

}  // namespace detail

template <class P>
NODIA_HD P DirectMemory::load(const Scalar<P>* p) const {
#if !defined(__CUDACC__)
  if constexpr (detail::IsPack<P>::value) {
    P a;
    for (int k = 0; k < P::kParts; ++k)
      a.part[k] = *reinterpret_cast<const typename P::Unaligned*>(p + k * P::kPerPart);
    return a;
  } else
#endif
    return *p;
}

template <class P>
NODIA_HD void DirectMemory::store(Scalar<P>* p, P value) const {
#if !defined(__CUDACC__)
  if constexpr (detail::IsPack<P>::value) {
    for (int k = 0; k < P::kParts; ++k)
      *reinterpret_cast<typename P::Unaligned*>(p + k * P::kPerPart) = value.part[k];
  } else
#endif
    *p = value;
}

template <class P>
NODIA_HD Vec3<P> DirectMemory::load_node(const Scalar<P>* nodes, int first) const {
  const Scalar<P>* p = nodes + static_cast<std::int64_t>(kNodeStride) * first;
#if !defined(__CUDACC__)
  if constexpr (detail::IsPack<P>::value) {
    Vec3<P> a;
    for (int k = 0; k < P::kParts; ++k)
      detail::transpose_in<Scalar<P>, P::kBytes>(
          [&](int l) { return p + kNodeStride * (k * P::kPerPart + l); }, &a.x.part[k],
          &a.y.part[k], &a.z.part[k]);
    return a;
  } else
#endif
    return detail::load_padded(p);
}

template <class P>
NODIA_HD Vec3<P> DirectMemory::load_unpadded_node(const Scalar<P>* nodes, int first) const {
  const Scalar<P>* p = nodes + std::int64_t{3} * first;
#if !defined(__CUDACC__)
  if constexpr (detail::IsPack<P>::value) {
    using Part = typename P::Part;
    constexpr auto kEveryLane = std::make_integer_sequence<int, P::kPerPart>{};
    Vec3<P> a;
    for (int k = 0; k < P::kParts; ++k) {
      Part in[3];
      for (int i = 0; i < 3; ++i)
        in[i] = *reinterpret_cast<const typename P::Unaligned*>(p + (3 * k + i) * P::kPerPart);
      a.x.part[k] = detail::every_third<0>(in, kEveryLane);
      a.y.part[k] = detail::every_third<1>(in, kEveryLane);
      a.z.part[k] = detail::every_third<2>(in, kEveryLane);
    }
    return a;
  } else
#endif
    return {p[0], p[1], p[2]};
}

template <class P>
NODIA_HD void DirectMemory::store_node(Scalar<P>* nodes, int first, Vec3<P> value) const {
  Scalar<P>* p = nodes + static_cast<std::int64_t>(kNodeStride) * first;
#if !defined(__CUDACC__)
  if constexpr (detail::IsPack<P>::value) {
    for (int k = 0; k < P::kParts; ++k)
      detail::transpose_out<Scalar<P>, P::kBytes>(
          &value.x.part[k], &value.y.part[k], &value.z.part[k], p + kNodeStride * k * P::kPerPart);
  } else
#endif
    detail::store_padded(p, value);
}

template <class P>
NODIA_HD Vec3<P> DirectMemory::gather_node(const Scalar<P>* nodes,
                                           const std::int32_t* offset) const {
#if !defined(__CUDACC__)
  if constexpr (detail::IsPack<P>::value) {
    Vec3<P> a;
    for (int k = 0; k < P::kParts; ++k)
      detail::transpose_in<Scalar<P>, P::kBytes>(
          [&](int l) { return nodes + offset[k * P::kPerPart + l]; }, &a.x.part[k], &a.y.part[k],
          &a.z.part[k]);
    return a;
  } else
#endif
    return detail::load_padded(nodes + *offset);
}

}  // namespace nodia
