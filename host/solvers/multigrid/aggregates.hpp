/// Which rows of a topology move together on the levels of a multigrid hierarchy.
///
/// Nodes of a soft body are gathered into aggregates of a node and its neighbours in the graph of
/// A; these likewise, to a few. An aggregate moves as a rigid body. Rows of rigid bodies, robots
/// and cables go through all levels, two of them as one aggregate, a body, robot or cable one group
/// of the smoother.
#pragma once

#include "host/problem/topology.hpp"

namespace nodia {

/// One level; the coarsest has no aggregates.
struct AggregateLevel {
  std::vector<std::int32_t> group_begin{0};   ///< [n_group + 1] rows the smoother inverts together
  std::vector<std::int32_t> cable;            ///< groups that are the links of one, ascending
  std::vector<std::int32_t> aggregate;        ///< [n_row], or empty
  std::vector<std::int32_t> member_begin{0};  ///< [n_aggregate + 1]
  std::vector<std::int32_t> member;           ///< rows, aggregate by aggregate, ascending
  std::vector<char> is_fixed;                 ///< [n_aggregate] of rows that go through unchanged

  int n_row() const { return group_begin.back(); }
  int n_group() const { return static_cast<int>(group_begin.size()) - 1; }
  int n_aggregate() const { return static_cast<int>(member_begin.size()) - 1; }
  bool operator==(const AggregateLevel&) const = default;
};

/// Levels from the finest on; the order of rows decides every choice.
std::vector<AggregateLevel> make_aggregates(const Topology& topology);

}  // namespace nodia
