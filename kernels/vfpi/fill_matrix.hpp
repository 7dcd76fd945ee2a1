/// Kernel that copies values of A into the sliced form of the loop.
#pragma once

#include "kernels/linalg/block_csr.hpp"
#include "kernels/vfpi/chunk_kernel.hpp"
#include "kernels/vfpi/row_planes.hpp"

namespace nodia {

/// Fills every row from `block_value`, one lane per row.
template <class Precision>
struct FillMatrix : ChunkKernel<Precision> {
  using typename ChunkKernel<Precision>::Environment;
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
    RowPlanes<Precision> planes(env, this->first_row(item, memory) + lane_of_block);
    for (std::int32_t k = planes.begin(); k < planes.end(); ++k) {
      const std::int32_t block = planes.block(k);
      const double* value = env.block_value + 9 * static_cast<std::int64_t>(block);
      planes.put(
          k, [&](int e) { return block < 0 ? 0.0 : value[e]; }, memory);
    }
    planes.finish(memory);
  }
};

/// A at the precision of the state: double, or float in difference form if only that is stored.
template <class Precision>
NODIA_HD const typename Precision::Real* accurate_matrix(const VfpiEnvironment<Precision>& env) {
  if constexpr (VfpiEnvironment<Precision>::kIncrement)
    return env.exact;
  else
    return env.matrix;
}

/// A x of the lanes' rows, with the accurate matrix.
template <class P, class Precision, class Memory>
NODIA_HD Vec3<P> accurate_product(const VfpiEnvironment<Precision>& env,
                                  const typename Precision::Real* x, int row, Memory memory) {
  constexpr bool kDifference = std::is_same_v<typename Precision::Real, float>;
  return sliced_row_product<P, kDifference>(env.pattern(), accurate_matrix(env), x, row, memory);
}

}  // namespace nodia
