#include "host/solvers/cond/w/point_constraints.hpp"

#include <algorithm>

#include "kernels/core/first_exception.hpp"

namespace nodia {

void PointConstraintSetUp::build(const ContactProblem& problem, const RowLayout& rows,
                                 const Nodalization& nodes, LoopRanges* ranges,
                                 PointConstraintLists<HostMemory>* lists) {
  const ContactPoints& points = problem.points;
  const int n_env = problem.n_env();
  point_constraints_.resize(n_env);
  FirstException thrown;
#pragma omp parallel for schedule(static) if (n_env > 1 && points.size() > 0)
  for (int e = 0; e < n_env; ++e) {
    thrown.guard(e, [&] {
      const std::int32_t first = problem.first_point(e), end = problem.first_point(e + 1);
      point_constraints_[e].clear();
      for (std::int32_t k = first; k < end; ++k)
        for (std::int32_t part = points.begin[k]; part < points.begin[k + 1]; ++part)
          point_constraints_[e].push_back(
              {rows.local_row(points.row[part]), part - points.begin[first], k - first});
      std::sort(point_constraints_[e].begin(), point_constraints_[e].end(),
                [](const Constraint& a, const Constraint& b) {
                  return a.row != b.row ? a.row < b.row : a.part < b.part;
                });
      PointConstraintCounts& counts = (*ranges)[e];
      counts.n_contact_node = end - first;
      counts.n_constrained_row = 0;
      for (std::size_t t = 0; t < point_constraints_[e].size(); ++t)
        counts.n_constrained_row +=
            t == 0 || point_constraints_[e][t].row != point_constraints_[e][t - 1].row;
    });
  }
  thrown.rethrow();
  PointConstraintOffsets next;
  for (int e = 0; e <= n_env; ++e) {
    LoopRange& range = (*ranges)[e];
    next.first_constraint_begin = next.first_contact_node + e;
    next.first_constrained_begin = next.first_constrained_row + e;
    static_cast<PointConstraintOffsets&>(range) = next;
    if (e == n_env) break;
    next.first_contact_node += range.n_contact_node;
    next.first_part += static_cast<std::int64_t>(point_constraints_[e].size());
    next.first_constrained_row += range.n_constrained_row;
    if (range.n_contact_node > 0) next.first_constrained_chunk += range.n_chunk + 1;
  }
  lists->constraint_begin.resize(next.first_constraint_begin);
  lists->constraint_row.resize(next.first_part);
  lists->constraint_weight.assign(nodes.constraint_weight.begin(), nodes.constraint_weight.end());
  lists->constrained_row.resize(next.first_constrained_row);
  lists->constrained_chunk.resize(next.first_constrained_chunk);
  lists->constrained_begin.resize(next.first_constrained_begin);
  lists->constrained_part.resize(2 * next.first_part);
#pragma omp parallel for schedule(static) if (n_env > 1 && points.size() > 0)
  for (int e = 0; e < n_env; ++e) {
    const LoopRange& range = (*ranges)[e];
    const std::int32_t first = problem.first_point(e);
    for (std::int32_t k = 0; k <= range.n_contact_node; ++k)
      lists->constraint_begin[range.first_constraint_begin + k] =
          points.begin[first + k] - points.begin[first];
    std::int32_t row = 0;
    for (std::size_t t = 0; t < point_constraints_[e].size(); ++t) {
      const Constraint& constraint = point_constraints_[e][t];
      if (t == 0 || constraint.row != point_constraints_[e][t - 1].row) {
        lists->constrained_row[range.first_constrained_row + row] = constraint.row;
        lists->constrained_begin[range.first_constrained_begin + row] =
            static_cast<std::int32_t>(t);
        ++row;
      }
      lists->constraint_row[range.first_part + constraint.part] = constraint.row;
      lists->constrained_part[2 * (range.first_part + static_cast<std::int64_t>(t))] =
          constraint.part;
      lists->constrained_part[2 * (range.first_part + static_cast<std::int64_t>(t)) + 1] =
          constraint.node;
    }
    lists->constrained_begin[range.first_constrained_begin + row] =
        static_cast<std::int32_t>(point_constraints_[e].size());
    if (range.n_contact_node == 0) continue;
    const std::int32_t* constrained_row =
        lists->constrained_row.data() + range.first_constrained_row;
    for (std::int32_t chunk = 0; chunk <= range.n_chunk; ++chunk)
      lists->constrained_chunk[range.first_constrained_chunk + chunk] = static_cast<std::int32_t>(
          std::lower_bound(constrained_row, constrained_row + range.n_constrained_row,
                           chunk * kBlockLanes) -
          constrained_row);
  }
}

void PointConstraintSetUp::reserve(const std::vector<std::int32_t>& n_contact_node,
                                   LoopRanges* ranges) {
  // The two sides of a contact have up to four nodes in point constraints.
  constexpr std::int64_t kParts = 4;
  PointConstraintOffsets next;
  for (std::size_t e = 0; e < ranges->size(); ++e) {
    LoopRange& range = (*ranges)[e];
    next.first_constraint_begin = next.first_contact_node + static_cast<std::int64_t>(e);
    next.first_constrained_begin = next.first_constrained_row + static_cast<std::int64_t>(e);
    static_cast<PointConstraintOffsets&>(range) = next;
    static_cast<PointConstraintCounts&>(range) = {};
    if (e == n_contact_node.size()) break;
    next.first_contact_node += n_contact_node[e];
    next.first_part += kParts * n_contact_node[e];
    next.first_constrained_row += kParts * n_contact_node[e];
    if (n_contact_node[e] > 0) next.first_constrained_chunk += range.n_chunk + 1;
  }
}

}  // namespace nodia
