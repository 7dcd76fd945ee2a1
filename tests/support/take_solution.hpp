/// The whole solution of a COND loop.
#pragma once

#include "host/solvers/cond/loop_problem.hpp"

namespace nodia::test {

/// Reports, velocities and contact forces of all environments.
template <class Precision>
void take_solution(LoopProblem<Precision>* problem, Solution* out) {
  problem->take_reports(out);
  problem->take_solutions(0, static_cast<int>(problem->environments().size()), out);
}

}  // namespace nodia::test
