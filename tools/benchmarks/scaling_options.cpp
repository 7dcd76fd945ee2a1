#include "host/solvers/catalogue.hpp"
#include "kernels/core/error.hpp"
#include "tools/benchmarks/scaling.hpp"

namespace nodia::studies {

void ScalingOptions::validate() const {
  require(true_error >= 0 && true_error < 1, "--true-error", true_error, "in [0, 1)",
          "0 leaves those rows out");
  if (!by_own_rule && !(reference && true_error > 0))
    throw_bad_value("--rows", "true_error", "with own where there are no reference answers", "");
  require(steps >= 1, "--average", steps, ">= 1", "");
  require(skipped_steps >= 0, "--skip", skipped_steps, ">= 0", "");
  require(limit_s > 0, "--limit-s", limit_s, "> 0", "");
  require(from_s >= 0, "--from", from_s, ">= 0", "");
}

double own_tolerance(const std::string& solver) {
  SolverOptions own;
  own.solver = solver == "auto" ? "newton" : solver;
  return tolerance_of(own);
}

}  // namespace nodia::studies
