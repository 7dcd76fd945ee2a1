#include "host/solvers/cond/row_layout.hpp"

#include <omp.h>

#include <algorithm>

#include "host/solvers/cond/row_order.hpp"
#include "kernels/launch/kernel.hpp"
#include "kernels/linalg/sliced_matrix.hpp"

namespace nodia {
namespace {

constexpr int kSlicesPerChunk = kBlockLanes / kSliceRows;

std::int32_t chunks(std::int64_t n) {
  return static_cast<std::int32_t>((n + kBlockLanes - 1) / kBlockLanes);
}

}  // namespace

bool RowLayout::fits(const ContactProblem& problem) const {
  if (pattern_ != problem.A.pattern || env_node_begin_ != problem.env_node_begin) return false;
  for (int e = 0; e < problem.n_env(); ++e) {
    const std::int32_t room = env[e].n_chunk * kBlockLanes - env[e].first_virtual_row;
    if (problem.first_point(e + 1) - problem.first_point(e) > room) return false;
  }
  return true;
}

bool RowLayout::build(const ContactProblem& problem) {
  if (fits(problem)) return false;
  pattern_ = problem.A.pattern;
  env_node_begin_ = problem.env_node_begin;
  const BlockPattern& pattern = *pattern_;
  const int n_env = problem.n_env();

  env.assign(n_env, {});
  row_of_node.resize(problem.n_node());
  n_row = 0;
  for (int e = 0; e < n_env; ++e) {
    env[e].n_row = env_node_begin_[e + 1] - env_node_begin_[e];
    const std::int32_t own_chunks = std::max(1, chunks(env[e].n_row));
    // With room for half as many more, so that a growing number of contacts rarely builds anew.
    const std::int64_t n_point = problem.first_point(e + 1) - problem.first_point(e);
    env[e].first_virtual_row = own_chunks * kBlockLanes;
    env[e].n_chunk = own_chunks + chunks(n_point + n_point / 2);
    env[e].first_row = n_row;
    env[e].first_slice = n_row / kSliceRows + e;
    n_row += static_cast<std::int64_t>(env[e].n_chunk) * kBlockLanes;
  }
  // Nodes in contacts of the first problem are those that the later ones have, too, for the most
  // part.
  std::vector<char> in_contact(problem.n_node(), 0);
  for (const Contact<double>& c : problem.contacts)
    for (const std::int32_t side : {c.node_i, c.node_j})
      if (side != kWorld && !problem.is_point(side)) in_contact[side] = 1;
  std::vector<std::vector<std::int32_t>> order(n_env);
  slice_begin.resize(n_row / kSliceRows + n_env);
#pragma omp parallel for schedule(dynamic, 1)
  for (int e = 0; e < n_env; ++e) {
    order[e] = row_order(pattern, env_node_begin_[e], env_node_begin_[e + 1], in_contact);
    std::int32_t* begin = slice_begin.data() + env[e].first_slice;
    begin[0] = 0;
    for (int slice = 0; slice < env[e].n_chunk * kSlicesPerChunk; ++slice) {
      std::int32_t longest = 0;
      for (int row = slice * kSliceRows; row < std::min((slice + 1) * kSliceRows, env[e].n_row);
           ++row) {
        const std::int32_t node = order[e][row];
        row_of_node[node] = static_cast<std::int32_t>(env[e].first_row) + row;
        longest = std::max(longest, pattern.row_begin[node + 1] - pattern.row_begin[node]);
      }
      begin[slice + 1] = begin[slice] + longest;
    }
  }
  n_block = 0;
  for (RowRange& range : env) {
    range.first_block = n_block;
    n_block += slice_begin[range.first_slice + range.n_chunk * kSlicesPerChunk];
  }
  column.resize(n_block * kSliceRows);
  block.resize(n_block * kSliceRows);

  for (int e = 0; e < n_env; ++e) {
    const RowRange& range = env[e];
    const std::int32_t* begin = slice_begin.data() + range.first_slice;
#pragma omp parallel for schedule(static)
    for (int slice = 0; slice < range.n_chunk * kSlicesPerChunk; ++slice) {
      for (int lane = 0; lane < kSliceRows; ++lane) {
        const std::int32_t row = slice * kSliceRows + lane;
        std::int64_t at = (range.first_block + begin[slice]) * kSliceRows + lane;
        const std::int64_t end = (range.first_block + begin[slice + 1]) * kSliceRows + lane;
        const auto place = [&](std::int32_t neighbour, std::int32_t index) {
          column[at] = kNodeStride * neighbour;
          block[at] = index;
          at += kSliceRows;
        };
        if (row < range.n_row) {
          const std::int32_t node = order[e][row];
          place(row, pattern.diagonal[node]);
          for (std::int32_t k = pattern.row_begin[node]; k < pattern.row_begin[node + 1]; ++k)
            if (k != pattern.diagonal[node]) place(local_row(e, pattern.column[k]), k);
        }
        while (at < end) place(row, -1);
      }
    }
  }
  return true;
}

}  // namespace nodia
