#include "host/solvers/cond/library_rows.hpp"

#include <algorithm>
#include <utility>

#include "kernels/core/error.hpp"

namespace nodia {

template <class Precision>
const LibraryProduct<Precision>& LibraryRows<Precision>::set(
    const LoopProblem<Precision>& problem) {
  const bool changes_w = is_barzilai_borwein(problem.options().w);
  for (const VfpiEnvironment<Precision>& env : problem.environments())
    if (changes_w || parts_of(env) != 0)
      throw RuntimeError(
          "--product = cusparse (must be ours where W is more than one diagonal: bodies that are "
          "not soft, virtual nodes, W of blocks or of Barzilai and Borwein)");
  const bool new_pattern = problem.changes().new_rows || !blocks_;
  if (new_pattern) set_pattern(problem);
  std::size_t k = 0;
  for (std::size_t e = 0; e < problem.environments().size(); ++e) {
    const double* const value = problem.environments()[e].block_value;
    const auto end = static_cast<std::size_t>(
        row_begin_[static_cast<std::size_t>(problem.ranges()[e + 1].first_row)]);
    for (; k < end; ++k) std::copy_n(value + 9 * std::int64_t{block_[k]}, 9, value_.data() + 9 * k);
  }
  const BlockCsrView<double> A{static_cast<int>(row_begin_.size()) - 1, row_begin_.data(),
                               column_.data(), value_.data()};
  if (new_pattern) {
    blocks_.reset();  // frees first
    blocks_.emplace(library_, A, queue_.stream);
    product_ = {blocks_->x(), blocks_->y(), env_begin_.data(), [this] {
                  blocks_->launch();
                  if (queue_.waits_for_kernels) synchronize_device("cusparseSpMV", queue_.stream);
                }};
  } else {
    blocks_->set_values(A);
  }
  return product_;
}

template <class Precision>
void LibraryRows<Precision>::set_pattern(const LoopProblem<Precision>& problem) {
  row_begin_.assign(1, 0);
  column_.clear();
  block_.clear();
  std::vector<std::int64_t> env_begin;
  std::vector<std::pair<std::int32_t, std::int32_t>> row_blocks;
  for (std::size_t e = 0; e < problem.environments().size(); ++e) {
    const VfpiEnvironment<Precision>& env = problem.environments()[e];
    const std::int64_t first = problem.ranges()[e].first_row;
    env_begin.push_back(first);
    for (int row = 0; row < env.n_chunk * kBlockLanes; ++row) {
      const int slice = row / kSliceRows, lane = row % kSliceRows;
      row_blocks.clear();
      for (std::int32_t k = env.slice_begin[slice]; k < env.slice_begin[slice + 1]; ++k) {
        const std::int64_t at = std::int64_t{k} * kSliceRows + lane;
        if (env.block[at] >= 0)
          row_blocks.emplace_back(static_cast<std::int32_t>(first) + env.column[at] / kNodeStride,
                                  env.block[at]);
      }
      std::sort(row_blocks.begin(), row_blocks.end());
      for (const auto& [column, block] : row_blocks) {
        column_.push_back(column);
        block_.push_back(block);
      }
      row_begin_.push_back(static_cast<std::int32_t>(column_.size()));
    }
  }
  value_.assign(9 * column_.size() + kBlockPadding, 0);
  env_begin_.assign(env_begin, queue_.stream);
}

template class LibraryRows<DoublePrecision>;
template class LibraryRows<MixedPrecision>;
template class LibraryRows<FloatPrecision>;

}  // namespace nodia
