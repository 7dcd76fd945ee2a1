/// Set-up of the point constraints of contact nodes (kernels/vfpi/w/point_constraints.hpp).
#pragma once

#include <vector>

#include "host/solvers/cond/w/set_up.hpp"

namespace nodia {

class PointConstraintSetUp {
 public:
  /// Fills the constraint ranges of `ranges`, and the lists. Gains and Jacobians are in the
  /// problem's order: the range of environment e begins at its first point.
  void build(const ContactProblem& problem, const RowLayout& rows, const Nodalization& nodes,
             LoopRanges* ranges, PointConstraintLists<HostMemory>* lists);
  /// Reserves room for constraints that a device makes, and sets the constraint ranges of `ranges`.
  /// @param n_contact_node  per environment, room for contact nodes
  static void reserve(const std::vector<std::int32_t>& n_contact_node, LoopRanges* ranges);

 private:
  struct Constraint {
    std::int32_t row, part, node;
  };
  std::vector<std::vector<Constraint>>
      point_constraints_;  ///< per environment, sorted by row and part
};

}  // namespace nodia
