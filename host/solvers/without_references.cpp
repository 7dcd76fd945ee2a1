/// Replaces the reference solvers in a build without them (NODIA_REFERENCE_SOLVERS = OFF).
#include "host/solvers/cond/reference/cond_reference.hpp"
#include "host/solvers/newton/reference/newton_reference.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

[[noreturn]] void throw_absent(const SolverOptions& options) {
  throw_bad_value("solver", options.solver, "a solver of this build",
                  "from a clone, build it with: tools/build.sh nodia");
}

}  // namespace

std::unique_ptr<ContactSolver> make_cond_reference_solver(const SolverOptions& options) {
  throw_absent(options);
}

std::unique_ptr<ContactSolver> make_newton_reference_solver(const SolverOptions& options) {
  throw_absent(options);
}

}  // namespace nodia
