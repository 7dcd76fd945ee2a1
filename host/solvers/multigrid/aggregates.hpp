/// Decides which rows of a topology move together on the levels of a multigrid hierarchy.
///
/// A node of a soft body forms an aggregate with its neighbours in the graph of A; aggregates are
/// joined again until few remain. An aggregate moves as a rigid body. Rows of rigid bodies, robots
/// and cables pass through all levels, two of them as one aggregate; a body, robot or cable is one
/// group of the smoother.
#pragma once

#include "host/problem/topology.hpp"

namespace nodia {

/// One level; the coarsest has no aggregates.
struct AggregateLevel {
  std::vector<std::int32_t> group_begin{0};   ///< [n_group + 1] rows inverted together
  std::vector<std::int32_t> cable;            ///< groups that are the links of one cable, ascending
  std::vector<std::int32_t> aggregate;        ///< [n_row], or empty
  std::vector<std::int32_t> member_begin{0};  ///< [n_aggregate + 1]
  std::vector<std::int32_t> member;           ///< rows, aggregate by aggregate, ascending
  std::vector<char> is_fixed;                 ///< [n_aggregate] 1: its rows pass through unchanged

  int n_row() const { return group_begin.back(); }
  int n_group() const { return static_cast<int>(group_begin.size()) - 1; }
  int n_aggregate() const { return static_cast<int>(member_begin.size()) - 1; }
  bool operator==(const AggregateLevel&) const = default;
};

/// Makes the levels from the finest on; the order of rows determines every choice.
std::vector<AggregateLevel> make_aggregates(const Topology& topology);

}  // namespace nodia
