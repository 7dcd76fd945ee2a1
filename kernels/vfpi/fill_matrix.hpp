/// Values of A into the sliced form of the loop.
#pragma once

#include "kernels/linalg/block_csr.hpp"
#include "kernels/vfpi/chunk_kernel.hpp"

namespace nodia {

/// Writes `matrix`, and `exact` where that is another, from `block_value`. One lane per row.
template <class Precision>
struct FillMatrix : ChunkKernel<Precision> {
  using typename ChunkKernel<Precision>::Environment;
  using Matrix = typename Precision::Matrix;
  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }

  template <int, class, class Memory>
  NODIA_HD void run(int item, int lane_of_block, Shared&, Memory memory) const {
    const Environment& env = this->environment(item, memory);
    const int row = this->first_row(item, memory) + lane_of_block;
    const int slice = row / kSliceRows, lane = row % kSliceRows;
    const std::int32_t begin = env.slice_begin[slice], end = env.slice_begin[slice + 1];
    double sum[9] = {};
    for (std::int32_t k = begin; k < end; ++k) {
      const std::int32_t block = env.block[static_cast<std::int64_t>(k) * kSliceRows + lane];
      const std::int64_t at = static_cast<std::int64_t>(k) * kSliceBlock + lane;
      for (int e = 0; e < 9; ++e) {
        const double a =
            block < 0 ? 0.0 : env.block_value[9 * static_cast<std::int64_t>(block) + e];
        if constexpr (Environment::kDifference) {
          sum[e] += a;
          if (k > begin) memory.write(env.matrix + at + e * kSliceRows, static_cast<Matrix>(a));
          if constexpr (Environment::kIncrement) memory.write(env.exact + at + e * kSliceRows, a);
        } else {
          memory.write(env.matrix + at + e * kSliceRows, a);
        }
      }
    }
    if constexpr (Environment::kDifference) {
      const std::int64_t at = static_cast<std::int64_t>(begin) * kSliceBlock + lane;
      for (int e = 0; begin < end && e < 9; ++e)
        memory.write(env.matrix + at + e * kSliceRows, static_cast<Matrix>(sum[e]));
    }
  }
};

/// The values of A at the precision of the state: in double, or float in difference form where only
/// that is held.
template <class Precision>
NODIA_HD const typename Precision::Real* accurate_matrix(const VfpiEnvironment<Precision>& env) {
  if constexpr (VfpiEnvironment<Precision>::kIncrement)
    return env.exact;
  else
    return env.matrix;
}

/// A x of the lanes' rows with them.
template <class P, class Precision, class Memory>
NODIA_HD Vec3<P> accurate_product(const VfpiEnvironment<Precision>& env,
                                  const typename Precision::Real* x, int row, Memory memory) {
  constexpr bool kDifference = std::is_same_v<typename Precision::Real, float>;
  return sliced_row_product<P, kDifference>(env.pattern(), accurate_matrix(env), x, row, memory);
}

}  // namespace nodia
