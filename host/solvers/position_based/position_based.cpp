#include "host/solvers/position_based/position_based.hpp"

#include "kernels/core/error.hpp"

namespace nodia {

void visit_keys(KeyVisitor& v, PositionBasedOptions& o) {
  v.integer({"substeps", "substeps of a step"}, o.substeps, 1, 1'000'000);
  v.integer({"iterations", "sweeps through all constraints in a substep"}, o.iterations, 1,
            1'000'000);
}

std::unique_ptr<ContactSolver> make_position_based_solver(const SolverOptions& options) {
  throw_bad_value("solver", options.solver, "a solver of single problems",
                  "xpbd advances whole scenes on positions: nodia run SCENARIO --solver xpbd");
}

}  // namespace nodia
