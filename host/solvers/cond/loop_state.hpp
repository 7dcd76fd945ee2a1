/// The state that COND carries for one environment from one solve to the next.
#pragma once

#include <cstdint>
#include <vector>

#include "host/solvers/solver_state.hpp"
#include "host/step/row_layout.hpp"

namespace nodia {

struct LoopState {
  RowMarks marks;
  std::int32_t n_contact_node = 0;  ///< contact nodes in the last solve
  int w_age = -1;                   ///< solves since W was computed; -1: W is unknown
  double lambda_max = 0;            ///< estimate for W A
  double body_scale = 0;            ///< VfpiControl::body_scale
  // By row of the loop.
  std::vector<double> power;  ///< vector of the power iteration, kNodeStride numbers per row
  std::vector<double> w, w_unguarded;

  SolverState lists() const;
  /// A list that is missing stays empty.
  static LoopState from_lists(const SolverState& lists);
};

}  // namespace nodia
