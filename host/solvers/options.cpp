#include "host/solvers/options.hpp"

#include <optional>

namespace nodia {

void visit_iteration_keys(KeyVisitor& v, CommonOptions& o) {
  v.choice({"stop", "stopping rule of the iteration; auto: the solver's own"}, o.stop);
  std::optional<double> given;
  if (o.tolerance != kOwnTolerance) given = o.tolerance;
  v.optional_real({"tolerance",
                   "tolerance of the stopping rule: relative for residual and energy [-], |v_new - "
                   "v_old| for paper [m/s] (default: 1e-3 for energy, 1e-4 otherwise)",
                   "try 1e-4"},
                  given, Range::open(0, 1));
  o.tolerance = given.value_or(kOwnTolerance);
  v.integer({"max_iterations", "maximum number of iterations per step", "try 2000"},
            o.max_iterations, 1, 10'000'000);
  v.integer({"check_every", "iterations between tests of the residual rule", "try 8"},
            o.check_every, 1, 1000);
  v.choice({"projection", "strict: Coulomb exactly; proximal: its convex relaxation"},
           o.projection);
  v.real({"invertible_omega_m_Ns",
          "regularisation that lets contact forces be recovered from velocities; 0: off [m/(N s)]",
          "try 1e-3"},
         o.invertible_omega_m_Ns, Range::not_negative());
}

void visit_effort_keys(KeyVisitor& v, CommonOptions& o) {
  v.integer(
      {"threads", "number of threads; 0: chosen from the problem size and the machine", "try 0"},
      o.execution.threads, 0, 1024);
  v.choice({"answer", "iterate that is returned if the solver does not converge"}, o.answer);
  visit_keys(v, o.factor);
  v.boolean({"full_errors", "exact Delassus diagonal in the error measures"}, o.full_errors);
}

}  // namespace nodia
