/// Builds the layout of the rows in the loop and its lists.
#include "host/step/row_layout.hpp"

#include <omp.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "host/step/row_order.hpp"
#include "kernels/core/first_exception.hpp"

namespace nodia {
namespace {

constexpr int kSlicesPerChunk = kBlockLanes / kSliceRows;

}  // namespace

/// Lists of environments with the same shape, and their offsets.
struct RowLayout::ShapeLists {
  // Input of the lists.
  std::shared_ptr<const Topology> topology;
  std::vector<char> in_contact;  ///< per row
  std::int32_t n_chunk = 0;

  std::vector<std::int32_t> order{};  ///< per row: its node in the environment
  std::vector<std::int32_t> row_of_node{};
  std::vector<std::int32_t> slice_begin{};
  RowOffsets at{};
  bool is_placed = false;  ///< true if `at` is valid and the lists are written

  int n_row() const { return topology->n_row(); }
  std::int64_t n_block() const { return slice_begin.back(); }
  bool is_of(const Topology* other, const char* marks, std::int32_t chunks) const {
    return topology.get() == other && n_chunk == chunks &&
           std::equal(in_contact.begin(), in_contact.end(), marks);
  }

  void make_order() {
    const BlockPattern& pattern = topology->pattern;
    order = row_order(pattern, in_contact.data());
    row_of_node.resize(order.size());
    slice_begin.assign(static_cast<std::size_t>(n_chunk) * kSlicesPerChunk + 1, 0);
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

  /// @param n_thread  threads over the slices
  void fill(RowLists<HostMemory>* lists, int n_thread) const {
    std::copy(slice_begin.begin(), slice_begin.end(),
              lists->slice_begin.begin() + at.first_slice_begin);
    const BlockPattern& pattern = topology->pattern;
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
        if (row < n_row()) {
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

bool RowLayout::fits(const ContactProblem& problem) const {
  if (pattern_ == nullptr || pattern_ != problem.A.pattern ||
      env_node_begin_ != problem.env_node_begin)
    return false;
  for (int e = 0; e < problem.n_env(); ++e) {
    const std::int32_t room = rooms_[e].n_chunk * kBlockLanes - rooms_[e].first_contact_node_row;
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
  std::vector<std::int32_t> nodes(static_cast<std::size_t>(rooms_[env].first_contact_node_row), -1);
  const std::int32_t first = env_node_begin_[env];
  for (std::int32_t node = first; node < env_node_begin_[env + 1]; ++node)
    nodes[local_row(node)] = node - first;
  return nodes;
}

void RowLayout::mark(const ContactProblem& problem, int env, char* in_contact) const {
  const std::int32_t first = problem.env_node_begin[env];
  for (std::int32_t m = problem.env_contact_begin[env]; m < problem.env_contact_begin[env + 1]; ++m)
    for (const std::int32_t side : {problem.contacts[m].side_i, problem.contacts[m].side_j})
      if (side != kWorld && !problem.is_point(side)) in_contact[side - first] = 1;
}

RowMarks RowLayout::marks_of(const ContactProblem& problem, int env) const {
  RowMarks marks;
  marks.in_contact.assign(static_cast<std::size_t>(rooms_[env].n_row), 0);
  marks.n_chunk = rooms_[env].n_chunk;
  mark(problem, env, marks.in_contact.data());
  return marks;
}

/// Finds or creates the shape for the environment's marks and chunks. A new shape has no lists.
void RowLayout::take_shape(const ContactProblem& problem, int e) {
  const std::shared_ptr<const Topology>& topology = problem.topology[e];
  const char* const marks = in_contact_.data() + env_node_begin_[e];
  const auto n_row = static_cast<std::size_t>(topology->n_row());
  const std::uint64_t hash =
      std::hash<std::string_view>{}({marks, n_row}) ^ std::hash<const void*>{}(topology.get());
  const auto [begin, end] = known_.equal_range(hash);
  const auto found = std::find_if(begin, end, [&](const auto& entry) {
    return entry.second->is_of(topology.get(), marks, rooms_[e].n_chunk);
  });
  if (found != end) {
    shape_of_[e] = found->second;
    return;
  }
  shape_of_[e] = std::make_shared<ShapeLists>();
  shape_of_[e]->topology = topology;
  shape_of_[e]->in_contact.assign(marks, marks + n_row);
  shape_of_[e]->n_chunk = rooms_[e].n_chunk;
  known_.emplace(hash, shape_of_[e]);
  shapes_.push_back(shape_of_[e]);
}

/// Places the lists of all shapes that have none behind the existing lists.
/// @return offset of the first placed list
RowOffsets RowLayout::make_lists(RowLists<HostMemory>* lists) {
  const auto first = static_cast<int>(
      std::find_if(shapes_.begin(), shapes_.end(), [](const auto& s) { return !s->is_placed; }) -
      shapes_.begin());
  const auto n_shape = static_cast<int>(shapes_.size());
  FirstException thrown;
#pragma omp parallel for schedule(dynamic, 1) if (n_shape - first > 1)
  for (int s = first; s < n_shape; ++s)
    thrown.guard(s, [&] {
      if (shapes_[s]->slice_begin.empty()) shapes_[s]->make_order();
    });
  thrown.rethrow();
  const RowOffsets begin = end_;
  for (int s = first; s < n_shape; ++s) {
    shapes_[s]->at = end_;
    shapes_[s]->is_placed = true;
    end_.first_slice_begin += static_cast<std::int64_t>(shapes_[s]->slice_begin.size());
    end_.first_pattern_block += shapes_[s]->n_block();
  }
  lists->slice_begin.resize(end_.first_slice_begin);
  lists->column.resize(end_.first_pattern_block * kSliceRows);
  lists->block.resize(end_.first_pattern_block * kSliceRows);
#pragma omp parallel for schedule(dynamic, 1) if (n_shape - first > 1)
  for (int s = first; s < n_shape; ++s)
    shapes_[s]->fill(lists, n_shape - first > 1 ? 1 : omp_get_max_threads());
  return begin;
}

/// Writes the rows' ranges of all environments, and the rows of their nodes.
void RowLayout::place(LoopRanges* ranges) const {
  RowOffsets next = end_;
  for (std::size_t e = 0; e < shape_of_.size(); ++e) {
    const ShapeLists& s = *shape_of_[e];
    LoopRange& range = (*ranges)[e];
    static_cast<RowCounts&>(range) = rooms_[e];
    static_cast<RowOffsets&>(range) = next;
    range.first_slice_begin = s.at.first_slice_begin;
    range.first_pattern_block = s.at.first_pattern_block;
    range.first_block_of_A = pattern_->row_begin[env_node_begin_[e]];
    range.env = static_cast<std::int64_t>(e);
    next.first_row += static_cast<std::int64_t>(range.n_chunk) * kBlockLanes;
    next.first_block += s.n_block();
    next.first_partial += kMaxSums * range.partial_stride();
  }
  next.env = static_cast<std::int64_t>(shape_of_.size());
  static_cast<RowOffsets&>(ranges->back()) = next;
}

void RowLayout::take_rows(int e) {
  const std::vector<std::int32_t>& row = shape_of_[e]->row_of_node;
  std::copy(row.begin(), row.end(), row_of_node_.begin() + env_node_begin_[e]);
}

void RowLayout::build(const ContactProblem& problem, const std::vector<RowMarks>& marks,
                      LoopRanges* ranges, RowLists<HostMemory>* lists) {
  pattern_ = problem.A.pattern;
  env_node_begin_ = problem.env_node_begin;
  const int n_env = problem.n_env();
  ranges->assign(static_cast<std::size_t>(n_env) + 1, {});
  rooms_.assign(n_env, {});
  // Marks the nodes in contact in the first problem; most of them stay in contact later.
  in_contact_.assign(problem.n_node(), 0);
  for (int e = 0; e < n_env; ++e) mark(problem, e, in_contact_.data() + env_node_begin_[e]);
  for (std::size_t e = 0; e < marks.size(); ++e)
    std::copy(marks[e].in_contact.begin(), marks[e].in_contact.end(),
              in_contact_.begin() + env_node_begin_[e]);

  shapes_.clear();
  known_.clear();
  shape_of_.assign(n_env, nullptr);
  end_ = {};
  for (int e = 0; e < n_env; ++e) {
    RowCounts& counts = rooms_[e];
    counts.n_row = env_node_begin_[e + 1] - env_node_begin_[e];
    const std::int32_t own_chunks = std::max(1, item_count(counts.n_row));
    // Room for 50 % more contact nodes makes rebuilds rare if the number of contacts grows.
    const std::int32_t n_point = problem.first_point(e + 1) - problem.first_point(e);
    counts.first_contact_node_row = own_chunks * kBlockLanes;
    counts.n_chunk = own_chunks + item_count(n_point + n_point / 2);
    if (!marks.empty() && marks[e].n_chunk > 0) counts.n_chunk = marks[e].n_chunk;
    take_shape(problem, e);
  }
  make_lists(lists);
  place(ranges);
  row_of_node_.resize(problem.n_node());
  for (int e = 0; e < n_env; ++e) take_rows(e);
}

RowOffsets RowLayout::renew(const ContactProblem& problem, const std::map<int, RowMarks>& marks,
                            LoopRanges* ranges, RowLists<HostMemory>* lists) {
  for (const auto& [e, own] : marks) {
    std::copy(own.in_contact.begin(), own.in_contact.end(),
              in_contact_.begin() + env_node_begin_[e]);
    take_shape(problem, e);
  }
  // shapes_ and known_ hold two references; each environment holds one more.
  const auto is_unused = [](const std::shared_ptr<ShapeLists>& s) { return s.use_count() == 2; };
  const auto n_unused = std::count_if(shapes_.begin(), shapes_.end(), is_unused);
  if (2 * n_unused > static_cast<std::ptrdiff_t>(shapes_.size())) {
    std::erase_if(known_, [&](const auto& entry) { return is_unused(entry.second); });
    std::erase_if(shapes_, [](const auto& s) { return s.use_count() == 1; });
    for (const auto& s : shapes_) s->is_placed = false;
    end_ = {};
  }
  const RowOffsets written = make_lists(lists);
  place(ranges);
  for (const auto& [e, own] : marks) take_rows(e);
  return written;
}

}  // namespace nodia
