/// Writer of the rows of A in the sliced form of the loop.
#pragma once

#include "kernels/linalg/sliced_matrix.hpp"
#include "kernels/vfpi/batch.hpp"

namespace nodia {

/// Writes one row of an environment's matrices, block by block in the order of the pattern:
/// `matrix` (possibly in difference form), and `exact` if that is a separate matrix.
template <class Precision>
class RowPlanes {
 public:
  using Environment = VfpiEnvironment<Precision>;
  using Matrix = typename Precision::Matrix;

  NODIA_HD RowPlanes(const Environment& env, int row)
      : env_(env),
        lane_(row % kSliceRows),
        begin_(env.slice_begin[row / kSliceRows]),
        end_(env.slice_begin[row / kSliceRows + 1]) {}

  // Positions of the row's blocks, [begin, end); the diagonal block is the first.
  NODIA_HD std::int32_t begin() const { return begin_; }
  NODIA_HD std::int32_t end() const { return end_; }
  /// Index in A of the block at position k; -1: padding.
  NODIA_HD std::int32_t block(std::int32_t k) const {
    return env_.block[static_cast<std::int64_t>(k) * kSliceRows + lane_];
  }

  /// Writes the block at position k. @param value  value(e), e = 3 column + row
  template <class Value, class Memory>
  NODIA_HD void put(std::int32_t k, const Value& value, Memory memory) {
    const std::int64_t at = static_cast<std::int64_t>(k) * kSliceBlock + lane_;
    for (int e = 0; e < 9; ++e) {
      const double a = value(e);
      if constexpr (Environment::kDifference) {
        sum_[e] += a;
        if (k > begin_) memory.write(env_.matrix + at + e * kSliceRows, static_cast<Matrix>(a));
        if constexpr (Environment::kIncrement) memory.write(env_.exact + at + e * kSliceRows, a);
      } else {
        memory.write(env_.matrix + at + e * kSliceRows, a);
      }
    }
  }
  /// Finishes the row after all blocks are written.
  template <class Memory>
  NODIA_HD void finish(Memory memory) const {
    if constexpr (Environment::kDifference) {
      const std::int64_t at = static_cast<std::int64_t>(begin_) * kSliceBlock + lane_;
      for (int e = 0; begin_ < end_ && e < 9; ++e)
        memory.write(env_.matrix + at + e * kSliceRows, static_cast<Matrix>(sum_[e]));
    }
  }

 private:
  const Environment& env_;
  int lane_;
  std::int32_t begin_, end_;
  double sum_[9] = {};  ///< sum of the blocks
};

}  // namespace nodia
