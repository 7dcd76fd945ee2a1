/// The interface of contact solvers: a ContactProblem in, a Solution out.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/solvers/solver_state.hpp"
#include "kernels/core/solve_status.hpp"

namespace nodia {

class AggregatePool;  // host/solvers/multigrid/aggregate_pool.hpp

/// How the solve of one environment ended.
struct SolveReport {
  SolveStatus status = SolveStatus::iteration_limit;
  std::string reason;  ///< explains the status; may be empty
  std::string solver;  ///< the solver that `auto` chose; otherwise empty
  int iterations = 0;
  double velocity_step = 0;      ///< last |v_new - v_old|, the paper's measure [m/s]
  double relative_residual = 0;  ///< |r|_(M^-1)/max(|b|, |Jc^T lambda|)_(M^-1) [-]
  double natural_map_error = 0;  ///< scaled as in the stopping rule [-]
  /// Estimate of |v - v_exact|_A/|v|_A, and of the same for A^-1 (b + Jc^T lambda). NaN for solvers
  /// without an estimate, unless the options ask for full errors [-].
  double error_estimate = std::numeric_limits<double>::quiet_NaN();
  /// Body whose momentum or contact law the solution breaks most, if more than the tolerance
  /// allows; index in the topology; -1: none.
  int worst_body = -1;
  /// Bound of |v - v_exact|_A/|v|_A. NaN unless the options ask for full errors, or if no bound
  /// exists [-].
  double error_bound = std::numeric_limits<double>::quiet_NaN();
  /// Work in products with A; NaN for solvers that do not count it [-].
  double work_units = std::numeric_limits<double>::quiet_NaN();
  double energy_error_J = 0;    ///< NaN unless the options ask for full errors [J]
  double certificate_J = 0;     ///< e_dyn >= (t/2)|v - v_exact|_A^2; NaN without masses [J]
  double lambda_max_WA = 0;     ///< spectral estimate of the preconditioned matrix; 0: none [-]
  int restarts = 0;             ///< number of fallbacks to a safe iteration
  bool absolute_floor = false;  ///< the absolute tolerance stopped the residual rule
  double time_s = 0;            ///< wall time of the whole solve
  double delassus_s = 0;        ///< share of the factorisation and the Delassus operator
  double before_loop_s = 0;     ///< share of the work before the iterations
  /// Share of the iterations and their tests. On a device the device measures both shares, and an
  /// environment gets its part of the batch's.
  double loop_s = 0;

  /// True if `auto` accepted the solution of `newton` by the rule of `cond`, or took the solution
  /// of `cond`. Only these converged steps have a reason.
  bool fell_back() const { return status == SolveStatus::converged && !reason.empty(); }
};

struct Solution {
  std::vector<Vec3d> v;          ///< [n_node] representative velocity v_hat [m/s]
  std::vector<Vec3d> lambda;     ///< [n_contact] contact force, contact frame [N]
  std::vector<SolveReport> env;  ///< [n_env]
};

class ContactSolver {
 public:
  virtual ~ContactSolver() = default;
  /// Solves every environment by itself. Never throws because of missing convergence: see
  /// SolveReport::status.
  virtual void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) = 0;
  /// State of an environment after the last solve; empty before the first one.
  virtual SolverState state(int /*env*/) { return {}; }
  /// Sets the state for an environment of the next solve, which then has the bits that the solver
  /// of `state` would compute. Requires equal options. A state that does not fit the environment of
  /// the next problem counts as empty. Other environments keep theirs.
  virtual void set_state(int /*env*/, const SolverState& /*state*/) {}
  /// Sets the pool from which the solver takes the coarse levels of topologies, so that several
  /// solvers share them. The bits are the same. Call it before any other function.
  virtual void share(const std::shared_ptr<AggregatePool>& /*aggregates*/) {}

  /// Clears the state of an environment.
  void reset(int env) { set_state(env, {}); }
};

/// States of environments [0, n_env).
SolverStates states_of(ContactSolver* solver, int n_env);
void set_states_of(ContactSolver* solver, const SolverStates& states);

}  // namespace nodia
