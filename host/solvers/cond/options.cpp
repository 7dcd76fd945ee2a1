#include "host/solvers/cond/options.hpp"

#include "host/solvers/solver_options.hpp"

namespace nodia {

void visit_cond_keys(KeyVisitor& v, SolverOptions& options) {
  CondOptions& o = options.of<CondOptions>();
  v.choice({"w", "diagonal preconditioner W"}, o.w);
  v.integer({"w_recycle_steps", "steps for which W and its spectral estimate are kept", "try 1"},
            o.w_recycle_steps, 1, 1000);
  v.choice({"acceleration", "acceleration of the fixed-point iteration"}, o.acceleration);
  v.real({"under_relaxation", "share of the step that is extrapolated, u of (38) [-]", "try 0.95"},
         o.under_relaxation, Range::above_to(0, 1));
  v.integer({"slow_start", "iterations before the acceleration starts, ls of (38)", "try 5"},
            o.slow_start, 2, 1000);
  v.real({"virtual_gain",
          "coupling stiffness kv of contact nodes times the mean diagonal of their contact's "
          "Delassus block [-]",
          "try 10"},
         o.virtual_gain, Range::positive());
  v.real({"virtual_gain_N_s_m", "the same kv for all contact nodes; 0: from virtual_gain [N s/m]",
          "try 0"},
         o.virtual_gain_N_s_m, Range::not_negative());
  v.boolean({"bias_cancellation", "removes the error lambda/kv of contact nodes"},
            o.bias_cancellation);
  v.choice({"precision",
            "precision of COND's iteration; mixed: float matrix, refined to double accuracy"},
           options.execution.precision);
}

}  // namespace nodia
