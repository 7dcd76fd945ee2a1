/// One solve by a solver of its own.
#pragma once

#include "host/solvers/catalogue.hpp"

namespace nodia::test {

/// The answer of the solver that the options name.
inline Solution solve_once(const ContactProblem& p, const SolverOptions& options,
                           const WarmStart& warm = {}) {
  Solution solution;
  make_solver(options)->solve(p, warm, &solution);
  return solution;
}

}  // namespace nodia::test
