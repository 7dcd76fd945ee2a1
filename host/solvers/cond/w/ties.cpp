#include "host/solvers/cond/w/ties.hpp"

#include <algorithm>

#include "kernels/core/first_exception.hpp"

namespace nodia {

void TieSetUp::build(const ContactProblem& problem, const RowLayout& rows,
                     const Nodalization& nodes, LoopRanges* ranges, TieLists<HostMemory>* lists) {
  const ContactPoints& points = problem.points;
  const int n_env = problem.n_env();
  ties_.resize(n_env);
  FirstException thrown;
#pragma omp parallel for schedule(static) if (n_env > 1 && points.size() > 0)
  for (int e = 0; e < n_env; ++e) {
    thrown.guard(e, [&] {
      const std::int32_t first = problem.first_point(e), end = problem.first_point(e + 1);
      ties_[e].clear();
      for (std::int32_t k = first; k < end; ++k)
        for (std::int32_t part = points.begin[k]; part < points.begin[k + 1]; ++part)
          ties_[e].push_back(
              {rows.local_row(points.row[part]), part - points.begin[first], k - first});
      std::sort(ties_[e].begin(), ties_[e].end(), [](const Tie& a, const Tie& b) {
        return a.row != b.row ? a.row < b.row : a.part < b.part;
      });
      TieCounts& counts = (*ranges)[e];
      counts.n_virtual = end - first;
      counts.n_tied_row = 0;
      for (std::size_t t = 0; t < ties_[e].size(); ++t)
        counts.n_tied_row += t == 0 || ties_[e][t].row != ties_[e][t - 1].row;
    });
  }
  thrown.rethrow();
  TieOffsets next;
  for (int e = 0; e <= n_env; ++e) {
    LoopRange& range = (*ranges)[e];
    next.first_tie_begin = next.first_virtual + e;
    next.first_tied_begin = next.first_tied_row + e;
    static_cast<TieOffsets&>(range) = next;
    if (e == n_env) break;
    next.first_virtual += range.n_virtual;
    next.first_part += static_cast<std::int64_t>(ties_[e].size());
    next.first_tied_row += range.n_tied_row;
    if (range.n_virtual > 0) next.first_tied_chunk += range.n_chunk + 1;
  }
  lists->tie_begin.resize(next.first_tie_begin);
  lists->tie_row.resize(next.first_part);
  lists->tie_weight.assign(nodes.tie_weight.begin(), nodes.tie_weight.end());
  lists->tied_row.resize(next.first_tied_row);
  lists->tied_chunk.resize(next.first_tied_chunk);
  lists->tied_begin.resize(next.first_tied_begin);
  lists->tied_part.resize(2 * next.first_part);
#pragma omp parallel for schedule(static) if (n_env > 1 && points.size() > 0)
  for (int e = 0; e < n_env; ++e) {
    const LoopRange& range = (*ranges)[e];
    const std::int32_t first = problem.first_point(e);
    for (std::int32_t k = 0; k <= range.n_virtual; ++k)
      lists->tie_begin[range.first_tie_begin + k] = points.begin[first + k] - points.begin[first];
    std::int32_t row = 0;
    for (std::size_t t = 0; t < ties_[e].size(); ++t) {
      const Tie& tie = ties_[e][t];
      if (t == 0 || tie.row != ties_[e][t - 1].row) {
        lists->tied_row[range.first_tied_row + row] = tie.row;
        lists->tied_begin[range.first_tied_begin + row] = static_cast<std::int32_t>(t);
        ++row;
      }
      lists->tie_row[range.first_part + tie.part] = tie.row;
      lists->tied_part[2 * (range.first_part + static_cast<std::int64_t>(t))] = tie.part;
      lists->tied_part[2 * (range.first_part + static_cast<std::int64_t>(t)) + 1] = tie.node;
    }
    lists->tied_begin[range.first_tied_begin + row] = static_cast<std::int32_t>(ties_[e].size());
    if (range.n_virtual == 0) continue;
    const std::int32_t* tied_row = lists->tied_row.data() + range.first_tied_row;
    for (std::int32_t chunk = 0; chunk <= range.n_chunk; ++chunk)
      lists->tied_chunk[range.first_tied_chunk + chunk] = static_cast<std::int32_t>(
          std::lower_bound(tied_row, tied_row + range.n_tied_row, chunk * kBlockLanes) - tied_row);
  }
}

void TieSetUp::reserve(const std::vector<std::int32_t>& n_virtual, LoopRanges* ranges) {
  // The two sides of a contact have up to four nodes in point constraints.
  constexpr std::int64_t kParts = 4;
  TieOffsets next;
  for (std::size_t e = 0; e < ranges->size(); ++e) {
    LoopRange& range = (*ranges)[e];
    next.first_tie_begin = next.first_virtual + static_cast<std::int64_t>(e);
    next.first_tied_begin = next.first_tied_row + static_cast<std::int64_t>(e);
    static_cast<TieOffsets&>(range) = next;
    static_cast<TieCounts&>(range) = {};
    if (e == n_virtual.size()) break;
    next.first_virtual += n_virtual[e];
    next.first_part += kParts * n_virtual[e];
    next.first_tied_row += kParts * n_virtual[e];
    if (n_virtual[e] > 0) next.first_tied_chunk += range.n_chunk + 1;
  }
}

}  // namespace nodia
