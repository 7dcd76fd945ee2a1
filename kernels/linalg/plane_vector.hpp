/// Vectors of rows that are only read at their own row, never gathered: per slice, kSliceRows
/// values of x, then of y, then of z, so that lanes read neighbouring values without a
/// transposition.
#pragma once

#include "kernels/linalg/sliced_matrix.hpp"

namespace nodia {

namespace detail {
NODIA_HD std::int64_t plane_offset(int row) {
  return static_cast<std::int64_t>(row / kSliceRows) * (3 * kSliceRows) + row % kSliceRows;
}
}  // namespace detail

template <class P, class Memory>
NODIA_HD Vec3<P> load_planes(const Scalar<P>* vector, int row, Memory memory) {
  const Scalar<P>* p = vector + detail::plane_offset(row);
  return {memory.template load<P>(p), memory.template load<P>(p + kSliceRows),
          memory.template load<P>(p + 2 * kSliceRows)};
}

template <class P, class Memory>
NODIA_HD void store_planes(Scalar<P>* vector, int row, Vec3<P> value, Memory memory) {
  Scalar<P>* p = vector + detail::plane_offset(row);
  memory.template store<P>(p, value.x);
  memory.template store<P>(p + kSliceRows, value.y);
  memory.template store<P>(p + 2 * kSliceRows, value.z);
}

}  // namespace nodia
