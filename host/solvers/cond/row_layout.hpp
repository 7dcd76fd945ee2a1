/// Where the loop keeps the rows and blocks of every environment: made once per pattern.
#pragma once

#include <memory>

#include "host/problem/contact_problem.hpp"
#include "host/solvers/cond/loop_arrays.hpp"

namespace nodia {

/// Rows of all environments one after another (kernels/vfpi/arrays/rows.hpp), with room for virtual
/// nodes. Environments whose patterns and marked nodes are the same share their lists.
class RowLayout {
 public:
  /// Whether the layout is that of the problem's pattern and environments, with room for its
  /// points.
  bool fits(const ContactProblem& problem) const;
  /// Makes it: `ranges` anew with the rows' parts, and the lists.
  void build(const ContactProblem& problem, LoopRanges* ranges, RowLists<HostMemory>* lists);

  /// Row of a node, counted from its environment's first.
  std::int32_t local_row(std::int32_t node) const { return row_of_node_[node]; }
  /// Row of a side of a contact, counted from its environment's first.
  std::int32_t side_row(const ContactProblem& p, int env, std::int32_t side) const {
    if (!p.is_point(side)) return local_row(side);
    return rooms_[env].first_virtual_row + side - p.n_node() - p.first_point(env);
  }

 private:
  std::vector<RowCounts> rooms_;           ///< per environment
  std::vector<std::int32_t> row_of_node_;  ///< per node
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<std::int32_t> env_node_begin_;
};

}  // namespace nodia
