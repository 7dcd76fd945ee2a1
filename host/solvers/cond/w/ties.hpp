/// Set-up of the ties of virtual nodes (kernels/vfpi/w/ties.hpp).
#pragma once

#include <vector>

#include "host/solvers/cond/w/set_up.hpp"

namespace nodia {

class TieSetUp {
 public:
  /// Fills the ties' parts of `ranges`, and the lists. Gains and Jacobians are in the problem's
  /// order: the part of environment e begins at its first point.
  void build(const ContactProblem& problem, const RowLayout& rows, const Nodalization& nodes,
             LoopRanges* ranges, TieLists<HostMemory>* lists);
  /// Room for ties that are made elsewhere: the ties' parts of `ranges`.
  /// @param n_virtual  per environment, room for virtual nodes
  static void reserve(const std::vector<std::int32_t>& n_virtual, LoopRanges* ranges);

 private:
  struct Tie {
    std::int32_t row, part, node;
  };
  std::vector<std::vector<Tie>> ties_;  ///< per environment, by row and part
};

}  // namespace nodia
