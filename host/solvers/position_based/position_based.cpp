#include "host/solvers/position_based/position_based.hpp"

#include "kernels/core/error.hpp"

namespace nodia {

std::vector<SolverParameter> position_based_parameters() {
  return {
      SolverParameter::in("substeps", "substeps of a step", 100, 1, 1e6),
      SolverParameter::in("iterations", "sweeps through all constraints in a substep", 1, 1, 1e6)};
}

std::unique_ptr<ContactSolver> make_position_based_solver(const SolverOptions& options) {
  throw_bad_value("solver", options.solver, "a solver of single problems",
                  "xpbd advances whole scenes on positions: nodia run SCENARIO --solver xpbd");
}

}  // namespace nodia
