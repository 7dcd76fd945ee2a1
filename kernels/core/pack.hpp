/// Several values that pass through a formula together: vector registers on the CPU, one value if a
/// lane is a thread of the device.
///
/// A formula is a template over its number type `P`, which is a plain Real or Pack<Real, Isa>.
/// Every lane rounds like a plain Real, so results do not depend on the instruction set, the
/// neighbours or the lane. Code compiled for one instruction set must not be linked into that of
/// another: functions here are always inlined, and larger ones are templates over Isa or have
/// internal linkage (NODIA_COLD).
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#if defined(__AVX__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

#include "kernels/core/mat3.hpp"

#if !defined(__CUDACC__)
// Only inlined functions pass values of this type, so their calling convention does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace nodia {

/// One lane: for the device, for reference code, and for work that is not in packs.
struct OneLane {
  static constexpr int kLanes = 1;
};

#if !defined(__CUDACC__)
/// Instruction set. A pack has as many lanes as a register of floats, or two registers of doubles.
template <int lanes>
struct RegisterOfFloats {
  static constexpr int kLanes = lanes;
  template <class T>
  static constexpr int kRegisterBytes = 4 * lanes;
};
struct Portable : RegisterOfFloats<4> {};
struct Avx2 : RegisterOfFloats<8> {};
struct Avx512 : RegisterOfFloats<16> {};

/// Four numbers in one register with any instruction set: a node's vector with its padding, or a
/// column of a block.
struct FourLanes {
  static constexpr int kLanes = 4;
  template <class T>
  static constexpr int kRegisterBytes = 4 * sizeof(T);
};

template <class T, class Isa>
struct Pack {
  static constexpr int kLanes = Isa::kLanes;
  static constexpr int kBytes = Isa::template kRegisterBytes<T>;  ///< of one register
  static constexpr int kPerPart = kBytes / sizeof(T);             ///< lanes of a register
  static constexpr int kParts = kLanes / kPerPart;                ///< number of registers
  typedef T Part __attribute__((vector_size(kBytes), may_alias));
  typedef T Unaligned __attribute__((vector_size(kBytes), may_alias, aligned(alignof(T))));

  Part part[kParts];

  Pack() = default;
  NODIA_HD Pack(T x) {  // NOLINT: formulas use a number as a pack
    for (int p = 0; p < kParts; ++p) part[p] = x - Part{};
  }
  NODIA_HD T lane(int l) const { return part[l / kPerPart][l % kPerPart]; }
  NODIA_HD void set_lane(int l, T x) { part[l / kPerPart][l % kPerPart] = x; }
};

/// Truth value of every lane of a Pack<T, Isa>.
template <class T, class Isa>
struct PackMask {
  using Values = Pack<T, Isa>;
  using Part = decltype(typename Values::Part{} < typename Values::Part{});
  Part part[Values::kParts];

  NODIA_HD bool lane(int l) const { return part[l / Values::kPerPart][l % Values::kPerPart] != 0; }
};
#endif

namespace detail {
template <class T, class Isa>
struct LanesOf {
#if !defined(__CUDACC__)
  using Type = Pack<T, Isa>;
#endif
};
template <class T>
struct LanesOf<T, OneLane> {
  using Type = T;
};
template <class P>
struct ScalarOf {
  using Type = P;
};
#if !defined(__CUDACC__)
template <class T, class Isa>
struct ScalarOf<Pack<T, Isa>> {
  using Type = T;
};
#endif
}  // namespace detail

/// Number type of Isa's lanes.
template <class T, class Isa>
using Lanes = typename detail::LanesOf<T, Isa>::Type;
/// Type of one lane.
template <class P>
using Scalar = typename detail::ScalarOf<P>::Type;

// One lane.

NODIA_HD double fused(double a, double b, double c) {
  return ::fma(a, b, c);
}
NODIA_HD float fused(float a, float b, float c) {
  return ::fmaf(a, b, c);
}
NODIA_HD double root(double a) {
  return ::sqrt(a);
}
NODIA_HD float root(float a) {
  return ::sqrtf(a);
}
NODIA_HD double absolute(double a) {
  return ::fabs(a);
}
NODIA_HD float absolute(float a) {
  return ::fabsf(a);
}
template <class T>
NODIA_HD T select(bool mask, T yes, T no) {
  return mask ? yes : no;
}
NODIA_HD bool all(bool mask) {
  return mask;
}
/// Value of lane l of any number type.
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
NODIA_HD T lane_of(T a, int) {
  return a;
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
NODIA_HD void set_lane(T* a, int, T x) {
  *a = x;
}
NODIA_HD bool lane_of(bool mask, int) {
  return mask;
}
/// Bit l is set if lane l is true.
NODIA_HD std::uint32_t lane_bits(bool mask) {
  return mask ? 1 : 0;
}
template <class To, class From, class = std::enable_if_t<std::is_arithmetic_v<From>>>
NODIA_HD To convert(From a) {
  return static_cast<To>(a);
}

#if !defined(__CUDACC__)
// Many lanes.

#define NODIA_PACK_OPERATOR(op)                                                        \
  template <class T, class Isa>                                                        \
  NODIA_HD Pack<T, Isa> operator op(Pack<T, Isa> a, Pack<T, Isa> b) {                  \
    for (int p = 0; p < Pack<T, Isa>::kParts; ++p) a.part[p] = a.part[p] op b.part[p]; \
    return a;                                                                          \
  }                                                                                    \
  template <class T, class Isa>                                                        \
  NODIA_HD Pack<T, Isa> operator op(std::type_identity_t<T> a, Pack<T, Isa> b) {       \
    return Pack<T, Isa>(a) op b;                                                       \
  }                                                                                    \
  template <class T, class Isa>                                                        \
  NODIA_HD Pack<T, Isa> operator op(Pack<T, Isa> a, std::type_identity_t<T> b) {       \
    return a op Pack<T, Isa>(b);                                                       \
  }
NODIA_PACK_OPERATOR(+)
NODIA_PACK_OPERATOR(-)
NODIA_PACK_OPERATOR(*)
NODIA_PACK_OPERATOR(/)
#undef NODIA_PACK_OPERATOR

#define NODIA_PACK_COMPARISON(op)                                                      \
  template <class T, class Isa>                                                        \
  NODIA_HD PackMask<T, Isa> operator op(Pack<T, Isa> a, Pack<T, Isa> b) {              \
    PackMask<T, Isa> m;                                                                \
    for (int p = 0; p < Pack<T, Isa>::kParts; ++p) m.part[p] = a.part[p] op b.part[p]; \
    return m;                                                                          \
  }                                                                                    \
  template <class T, class Isa>                                                        \
  NODIA_HD PackMask<T, Isa> operator op(Pack<T, Isa> a, std::type_identity_t<T> b) {   \
    return a op Pack<T, Isa>(b);                                                       \
  }
NODIA_PACK_COMPARISON(<)
NODIA_PACK_COMPARISON(<=)
NODIA_PACK_COMPARISON(>)
NODIA_PACK_COMPARISON(>=)
NODIA_PACK_COMPARISON(==)
#undef NODIA_PACK_COMPARISON

template <class T, class Isa>
NODIA_HD Pack<T, Isa> operator-(Pack<T, Isa> a) {
  for (auto& part : a.part) part = -part;
  return a;
}
template <class T, class Isa>
NODIA_HD Pack<T, Isa>& operator+=(Pack<T, Isa>& a, Pack<T, Isa> b) {
  return a = a + b;
}
template <class T, class Isa>
NODIA_HD PackMask<T, Isa> operator&(PackMask<T, Isa> a, PackMask<T, Isa> b) {
  for (int p = 0; p < Pack<T, Isa>::kParts; ++p) a.part[p] &= b.part[p];
  return a;
}
template <class T, class Isa>
NODIA_HD PackMask<T, Isa> operator|(PackMask<T, Isa> a, PackMask<T, Isa> b) {
  for (int p = 0; p < Pack<T, Isa>::kParts; ++p) a.part[p] |= b.part[p];
  return a;
}

template <class T, class Isa>
NODIA_HD PackMask<T, Isa> operator!(PackMask<T, Isa> a) {
  for (auto& part : a.part) part = ~part;
  return a;
}

template <class T, class Isa>
NODIA_HD Pack<T, Isa> select(PackMask<T, Isa> mask, Pack<T, Isa> yes, Pack<T, Isa> no) {
  for (int p = 0; p < Pack<T, Isa>::kParts; ++p)
    no.part[p] = mask.part[p] ? yes.part[p] : no.part[p];
  return no;
}

template <class T, class Isa>
NODIA_HD bool all(PackMask<T, Isa> mask) {
  for (int p = 1; p < Pack<T, Isa>::kParts; ++p) mask.part[0] &= mask.part[p];
  constexpr int kBytes = Pack<T, Isa>::kBytes;
#if defined(__AVX512DQ__)
  if constexpr (kBytes == 64 && sizeof(T) == 8)
    return _mm512_movepi64_mask(reinterpret_cast<__m512i>(mask.part[0])) == 0xff;
  if constexpr (kBytes == 64 && sizeof(T) == 4)
    return _mm512_movepi32_mask(reinterpret_cast<__m512i>(mask.part[0])) == 0xffff;
#endif
#if defined(__AVX__)
  if constexpr (kBytes == 32)
    return _mm256_movemask_epi8(reinterpret_cast<__m256i>(mask.part[0])) == -1;
#endif
  bool every = true;
  for (int l = 0; l < Pack<T, Isa>::kPerPart; ++l) every = every && mask.part[0][l] != 0;
  return every;
}

template <class T, class Isa>
NODIA_HD std::uint32_t lane_bits(PackMask<T, Isa> mask) {
  constexpr int kPerPart = Pack<T, Isa>::kPerPart, kBytes = Pack<T, Isa>::kBytes;
  std::uint32_t bits = 0;
  for (int p = 0; p < Pack<T, Isa>::kParts; ++p) {
#if defined(__AVX512DQ__)
    if constexpr (kBytes == 64 && sizeof(T) == 8) {
      bits |= std::uint32_t{_mm512_movepi64_mask(reinterpret_cast<__m512i>(mask.part[p]))}
              << (p * kPerPart);
      continue;
    }
#endif
#if defined(__AVX__)
    if constexpr (kBytes == 32 && sizeof(T) == 8) {
      bits |=
          static_cast<std::uint32_t>(_mm256_movemask_pd(reinterpret_cast<__m256d>(mask.part[p])))
          << (p * kPerPart);
      continue;
    }
#endif
    for (int l = 0; l < kPerPart; ++l)
      bits |= std::uint32_t{mask.part[p][l] != 0} << (p * kPerPart + l);
  }
  return bits;
}

/// Lane by lane, like the functions of numbers.hpp.
template <class T, class Isa>
NODIA_HD Pack<T, Isa> larger(Pack<T, Isa> a, Pack<T, Isa> b) {
  return select(a > b, a, b);
}
template <class T, class Isa>
NODIA_HD Pack<T, Isa> larger_or_nan(Pack<T, Isa> a, Pack<T, Isa> b) {
  return select((a >= b) | !(a == a), a, b);
}

/// a b + c, rounded once.
template <class T, class Isa>
NODIA_HD Pack<T, Isa> fused(Pack<T, Isa> a, Pack<T, Isa> b, Pack<T, Isa> c) {
  constexpr int kBytes = Pack<T, Isa>::kBytes;
  for (int p = 0; p < Pack<T, Isa>::kParts; ++p) {
#if defined(__AVX512F__)
    if constexpr (kBytes == 64 && sizeof(T) == 8) {
      c.part[p] = _mm512_fmadd_pd(a.part[p], b.part[p], c.part[p]);
      continue;
    }
    if constexpr (kBytes == 64 && sizeof(T) == 4) {
      c.part[p] = _mm512_fmadd_ps(a.part[p], b.part[p], c.part[p]);
      continue;
    }
#endif
#if defined(__FMA__)
    if constexpr (kBytes == 32 && sizeof(T) == 8) {
      c.part[p] = _mm256_fmadd_pd(a.part[p], b.part[p], c.part[p]);
      continue;
    }
    if constexpr (kBytes == 32 && sizeof(T) == 4) {
      c.part[p] = _mm256_fmadd_ps(a.part[p], b.part[p], c.part[p]);
      continue;
    }
#endif
    T lanes[Pack<T, Isa>::kPerPart];
    for (int l = 0; l < Pack<T, Isa>::kPerPart; ++l)
      lanes[l] = fused(static_cast<T>(a.part[p][l]), static_cast<T>(b.part[p][l]),
                       static_cast<T>(c.part[p][l]));
    __builtin_memcpy(&c.part[p], lanes, sizeof lanes);
  }
  return c;
}

template <class T, class Isa>
NODIA_HD Pack<T, Isa> root(Pack<T, Isa> a) {
  constexpr int kBytes = Pack<T, Isa>::kBytes;
  for (int p = 0; p < Pack<T, Isa>::kParts; ++p) {
#if defined(__AVX512F__)
    if constexpr (kBytes == 64 && sizeof(T) == 8) {
      a.part[p] = _mm512_maskz_sqrt_pd(0xff, a.part[p]);
      continue;
    }
    if constexpr (kBytes == 64 && sizeof(T) == 4) {
      a.part[p] = _mm512_maskz_sqrt_ps(0xffff, a.part[p]);
      continue;
    }
#endif
#if defined(__AVX__)
    if constexpr (kBytes == 32 && sizeof(T) == 8) {
      a.part[p] = _mm256_sqrt_pd(a.part[p]);
      continue;
    }
    if constexpr (kBytes == 32 && sizeof(T) == 4) {
      a.part[p] = _mm256_sqrt_ps(a.part[p]);
      continue;
    }
#endif
    T lanes[Pack<T, Isa>::kPerPart];
    for (int l = 0; l < Pack<T, Isa>::kPerPart; ++l) lanes[l] = root(static_cast<T>(a.part[p][l]));
    __builtin_memcpy(&a.part[p], lanes, sizeof lanes);
  }
  return a;
}

template <class T, class Isa>
NODIA_HD Pack<T, Isa> absolute(Pack<T, Isa> a) {
  using Part = typename Pack<T, Isa>::Part;
  using Bits = typename PackMask<T, Isa>::Part;
  const Bits sign = Bits(-Part{});
  for (auto& part : a.part) part = Part(Bits(part) & ~sign);
  return a;
}

template <class T, class Isa>
NODIA_HD T lane_of(const Pack<T, Isa>& a, int l) {
  return a.lane(l);
}
template <class T, class Isa>
NODIA_HD bool lane_of(const PackMask<T, Isa>& mask, int l) {
  return mask.lane(l);
}
template <class T, class Isa>
NODIA_HD void set_lane(Pack<T, Isa>* a, int l, T x) {
  a->set_lane(l, x);
}

namespace detail {
template <class To, class From, class Isa>
NODIA_HD Pack<Scalar<To>, Isa> convert_pack(Pack<From, Isa> a) {
  using T = Scalar<To>;
  if constexpr (std::is_same_v<T, From>) {
    return a;
  } else if constexpr (sizeof(T) > sizeof(From)) {  // float -> double: one register becomes two
    Pack<T, Isa> b;
    constexpr int kHalf = Pack<T, Isa>::kPerPart;
    typedef From Half __attribute__((vector_size(kHalf * sizeof(From))));
    Half half[2];
    __builtin_memcpy(half, a.part, sizeof half);
    for (int p = 0; p < 2; ++p)
      b.part[p] = __builtin_convertvector(half[p], typename Pack<T, Isa>::Part);
    return b;
  } else {
    Pack<T, Isa> b;
    constexpr int kHalf = Pack<From, Isa>::kPerPart;
    typedef T Half __attribute__((vector_size(kHalf * sizeof(T))));
    Half half[2];
    for (int p = 0; p < 2; ++p) half[p] = __builtin_convertvector(a.part[p], Half);
    __builtin_memcpy(b.part, half, sizeof half);
    return b;
  }
}
}  // namespace detail

/// Converts every lane to another type: convert<Pack<double, Isa>>(floats).
template <class To, class From, class Isa>
NODIA_HD Pack<Scalar<To>, Isa> convert(Pack<From, Isa> a) {
  return detail::convert_pack<To>(a);
}
#endif

template <class To, class From>
NODIA_HD Vec3<To> convert(Vec3<From> a) {
  return {convert<To>(a.x), convert<To>(a.y), convert<To>(a.z)};
}
template <class To, class From>
NODIA_HD Mat3<To> convert(const Mat3<From>& a) {
  return {{convert<To>(a.row[0]), convert<To>(a.row[1]), convert<To>(a.row[2])}};
}

/// `value`, with replacement(lane) in the lanes in which `keep` is false.
template <class P, class Mask, class F>
NODIA_HD P replace_lanes(Mask keep, P value, const F& replacement) {
  if (all(keep)) return value;
  constexpr int kLanes = static_cast<int>(sizeof(P) / sizeof(Scalar<P>));
  for (int l = 0; l < kLanes; ++l)
    if (!lane_of(keep, l)) set_lane(&value, l, replacement(l));
  return value;
}

}  // namespace nodia
