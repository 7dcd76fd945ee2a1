#include "host/solvers/cond/row_layout.hpp"

#include <omp.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "host/solvers/cond/row_order.hpp"
#include "kernels/core/first_exception.hpp"

namespace nodia {
namespace {

constexpr int kSlicesPerChunk = kBlockLanes / kSliceRows;

/// What an environment's lists are made from.
struct RowShape {
  std::shared_ptr<const Topology> topology;
  const char* in_contact;  ///< per row
  std::int32_t n_chunk;

  int n_row() const { return topology->n_row(); }
  std::uint64_t hash() const {
    const std::string_view marks(in_contact, static_cast<std::size_t>(n_row()));
    return std::hash<std::string_view>{}(marks) ^ std::hash<const void*>{}(topology.get());
  }
  bool operator==(const RowShape& o) const {
    return topology == o.topology && n_chunk == o.n_chunk &&
           std::equal(in_contact, in_contact + n_row(), o.in_contact);
  }
};

/// The lists of environments of one shape, and where they begin.
struct ShapeLists {
  RowShape shape;
  std::vector<std::int32_t> order{};  ///< per row: its node, counted from the environment's first
  std::vector<std::int32_t> row_of_node{};
  std::vector<std::int32_t> slice_begin{};
  RowOffsets at{};

  std::int64_t n_block() const { return slice_begin.back(); }

  void make_order() {
    const BlockPattern& pattern = shape.topology->pattern;
    order = row_order(pattern, shape.in_contact);
    row_of_node.resize(order.size());
    slice_begin.assign(static_cast<std::size_t>(shape.n_chunk) * kSlicesPerChunk + 1, 0);
    for (std::size_t slice = 0; slice + 1 < slice_begin.size(); ++slice) {
      std::int32_t longest = 0;
      const std::size_t end = std::min((slice + 1) * kSliceRows, order.size());
      for (std::size_t row = slice * kSliceRows; row < end; ++row) {
        const std::int32_t node = order[row];
        row_of_node[node] = static_cast<std::int32_t>(row);
        longest = std::max(longest, pattern.row_begin[node + 1] - pattern.row_begin[node]);
      }
      slice_begin[slice + 1] = slice_begin[slice] + longest;
    }
  }

  /// @param n_thread  over its slices
  void fill(RowLists<HostMemory>* lists, int n_thread) const {
    std::copy(slice_begin.begin(), slice_begin.end(),
              lists->slice_begin.begin() + at.first_slice_begin);
    const BlockPattern& pattern = shape.topology->pattern;
    const auto n_slice = static_cast<int>(slice_begin.size()) - 1;
#pragma omp parallel for schedule(static) num_threads(n_thread) if (n_thread > 1)
    for (int slice = 0; slice < n_slice; ++slice) {
      for (int lane = 0; lane < kSliceRows; ++lane) {
        const std::int32_t row = slice * kSliceRows + lane;
        std::int64_t k = (at.first_pattern_block + slice_begin[slice]) * kSliceRows + lane;
        const std::int64_t end =
            (at.first_pattern_block + slice_begin[slice + 1]) * kSliceRows + lane;
        const auto place = [&](std::int32_t neighbour, std::int32_t index) {
          lists->column[k] = kNodeStride * neighbour;
          lists->block[k] = index;
          k += kSliceRows;
        };
        if (row < shape.n_row()) {
          const std::int32_t node = order[row];
          place(row, pattern.diagonal[node]);
          for (std::int32_t b = pattern.row_begin[node]; b < pattern.row_begin[node + 1]; ++b)
            if (b != pattern.diagonal[node]) place(row_of_node[pattern.column[b]], b);
        }
        while (k < end) place(row, -1);  // NOLINT(bugprone-infinite-loop): place() moves k
      }
    }
  }
};

}  // namespace

bool RowLayout::fits(const ContactProblem& problem) const {
  if (pattern_ == nullptr || pattern_ != problem.A.pattern ||
      env_node_begin_ != problem.env_node_begin)
    return false;
  for (int e = 0; e < problem.n_env(); ++e) {
    const std::int32_t room = rooms_[e].n_chunk * kBlockLanes - rooms_[e].first_virtual_row;
    if (problem.first_point(e + 1) - problem.first_point(e) > room) return false;
  }
  return true;
}

std::int32_t RowLayout::room(const RowMarks& marks) {
  const auto n_row = static_cast<std::int32_t>(marks.in_contact.size());
  return (marks.n_chunk - std::max(1, item_count(n_row))) * kBlockLanes;
}

RowMarks RowLayout::marks(int env) const {
  const auto begin = in_contact_.begin();
  return {{begin + env_node_begin_[env], begin + env_node_begin_[env + 1]}, rooms_[env].n_chunk};
}

std::vector<std::int32_t> RowLayout::nodes(int env) const {
  std::vector<std::int32_t> nodes(static_cast<std::size_t>(rooms_[env].first_virtual_row), -1);
  const std::int32_t first = env_node_begin_[env];
  for (std::int32_t node = first; node < env_node_begin_[env + 1]; ++node)
    nodes[local_row(node)] = node - first;
  return nodes;
}

void RowLayout::build(const ContactProblem& problem, const std::vector<RowMarks>& marks,
                      LoopRanges* ranges, RowLists<HostMemory>* lists) {
  pattern_ = problem.A.pattern;
  env_node_begin_ = problem.env_node_begin;
  const int n_env = problem.n_env();
  ranges->assign(static_cast<std::size_t>(n_env) + 1, {});
  rooms_.assign(n_env, {});
  // Nodes in contacts of the first problem are those that the later ones have, too, for the most
  // part.
  in_contact_.assign(problem.n_node(), 0);
  for (const Contact<double>& c : problem.contacts)
    for (const std::int32_t side : {c.side_i, c.side_j})
      if (side != kWorld && !problem.is_point(side)) in_contact_[side] = 1;
  for (std::size_t e = 0; e < marks.size(); ++e)
    std::copy(marks[e].in_contact.begin(), marks[e].in_contact.end(),
              in_contact_.begin() + env_node_begin_[e]);

  std::vector<ShapeLists> shapes;
  std::vector<std::int32_t> shape_of(n_env);
  std::unordered_multimap<std::uint64_t, std::int32_t> known;
  for (int e = 0; e < n_env; ++e) {
    RowCounts& counts = rooms_[e];
    counts.n_row = env_node_begin_[e + 1] - env_node_begin_[e];
    const std::int32_t own_chunks = std::max(1, item_count(counts.n_row));
    // With room for half as many more, so that a growing number of contacts rarely builds anew.
    const std::int32_t n_point = problem.first_point(e + 1) - problem.first_point(e);
    counts.first_virtual_row = own_chunks * kBlockLanes;
    counts.n_chunk = own_chunks + item_count(n_point + n_point / 2);
    if (!marks.empty() && marks[e].n_chunk > 0) counts.n_chunk = marks[e].n_chunk;
    const RowShape shape{problem.topology[e], in_contact_.data() + env_node_begin_[e],
                         counts.n_chunk};
    const std::uint64_t hash = shape.hash();
    const auto [begin, end] = known.equal_range(hash);
    const auto found =
        std::find_if(begin, end, [&](const auto& k) { return shapes[k.second].shape == shape; });
    shape_of[e] = found != end ? found->second : static_cast<std::int32_t>(shapes.size());
    if (found != end) continue;
    known.emplace(hash, shape_of[e]);
    shapes.push_back({shape});
  }
  const auto n_shape = static_cast<int>(shapes.size());
  FirstException thrown;
#pragma omp parallel for schedule(dynamic, 1) if (n_shape > 1)
  for (int s = 0; s < n_shape; ++s) thrown.guard(s, [&] { shapes[s].make_order(); });
  thrown.rethrow();

  RowOffsets next;
  for (ShapeLists& s : shapes) {
    s.at = next;
    next.first_slice_begin += static_cast<std::int64_t>(s.slice_begin.size());
    next.first_pattern_block += s.n_block();
  }
  row_of_node_.resize(problem.n_node());
  for (int e = 0; e < n_env; ++e) {
    const ShapeLists& s = shapes[shape_of[e]];
    LoopRange& range = (*ranges)[e];
    static_cast<RowCounts&>(range) = rooms_[e];
    static_cast<RowOffsets&>(range) = next;
    range.first_slice_begin = s.at.first_slice_begin;
    range.first_pattern_block = s.at.first_pattern_block;
    range.first_block_of_A = pattern_->row_begin[env_node_begin_[e]];
    range.env = e;
    next.first_row += static_cast<std::int64_t>(range.n_chunk) * kBlockLanes;
    next.first_block += s.n_block();
    next.first_partial += kMaxSums * range.partial_stride();
    std::copy(s.row_of_node.begin(), s.row_of_node.end(),
              row_of_node_.begin() + env_node_begin_[e]);
  }
  next.env = n_env;
  static_cast<RowOffsets&>(ranges->back()) = next;
  lists->slice_begin.resize(next.first_slice_begin);
  lists->column.resize(next.first_pattern_block * kSliceRows);
  lists->block.resize(next.first_pattern_block * kSliceRows);
#pragma omp parallel for schedule(dynamic, 1) if (n_shape > 1)
  for (int s = 0; s < n_shape; ++s) shapes[s].fill(lists, n_shape > 1 ? 1 : omp_get_max_threads());
}

}  // namespace nodia
