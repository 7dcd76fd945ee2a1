/// What a solver takes and gives. Solvers know a ContactProblem and nothing else.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/problem/device_nodes.hpp"
#include "host/problem/environment_range.hpp"
#include "host/problem/left_step.hpp"
#include "host/problem/steps_ahead.hpp"
#include "host/solvers/solver_memory.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/solve_status.hpp"

namespace nodia {

class AggregatePool;  // host/solvers/multigrid/aggregate_pool.hpp

/// How the solution of one environment ended.
struct SolveReport {
  SolveStatus status = SolveStatus::iteration_limit;
  std::string reason;  ///< in words, where the status does not say it all
  std::string solver;  ///< whose answer it is, where `auto` chose; otherwise empty
  int iterations = 0;
  double velocity_step = 0;      ///< last |v_new - v_old| [m/s], the paper's measure
  double relative_residual = 0;  ///< |r|_(M^-1)/max(|b|, |Jc^T lambda|)_(M^-1) [-]
  double natural_map_error = 0;  ///< scaled as in the stopping rule [-]
  /// Of |v - v_exact|_A/|v|_A, and of the same of A^-1 (b + Jc^T lambda); NaN of solvers that make
  /// none, unless full errors were asked for [-].
  double error_estimate = std::numeric_limits<double>::quiet_NaN();
  /// Bound of |v - v_exact|_A/|v|_A; NaN unless full errors were asked for, or where there is none
  /// [-].
  double error_bound = std::numeric_limits<double>::quiet_NaN();
  /// All work of the size of A, in products with it; NaN of solvers that do not count it [-].
  double work_units = std::numeric_limits<double>::quiet_NaN();
  double energy_error_J = 0;  ///< NaN unless full errors were asked for [J]
  double certificate_J =
      0;  ///< e_dyn >= (t/2)|v - v_exact|_A^2; NaN where the problem has no mass [J]
  double lambda_max_WA = 0;     ///< spectral estimate of the preconditioned matrix; 0: none [-]
  int restarts = 0;             ///< fallbacks to a safe iteration
  bool absolute_floor = false;  ///< the absolute floor of the residual rule decided
  double time_s = 0;            ///< wall time of the whole solve
  double delassus_s = 0;        ///< of it, factorisation and Delassus operator
  double before_loop_s = 0;     ///< of it, what precedes the iterations
  double loop_s = 0;            ///< of it, iterations and tests; on the device the times are its
                                ///< own, and an environment's are its share of the batch's
};

/// Of a problem whose contacts the solver made (ContactSolver::makes_contacts), v and what follows
/// `left` come with ContactSolver::end_bringing(), and there is no lambda.
struct Solution {
  std::vector<Vec3d> v;          ///< [n_node] representative velocity v_hat [m/s]
  std::vector<Vec3d> lambda;     ///< [n_contact] contact force, contact frame [N]
  std::vector<SolveReport> env;  ///< [n_env]
  LeftSteps left;
  /// The solver took nothing of a problem whose contacts it makes: it cannot make those of soft
  /// surfaces, and the problem has to be built with all contacts. What comes with end_bringing() is
  /// where the step begins, v of the step before, and of its contacts those with forces.
  bool is_refused = false;
  std::vector<MadeContacts> made;       ///< [n_env]
  std::vector<Vec3d> start_x, start_v;  ///< [n_node] where the step began [m], [m/s]
};

class ContactSolver {
 public:
  virtual ~ContactSolver() = default;
  /// Solves every environment by itself. Never throws for non-convergence: see SolveReport::status.
  virtual void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) = 0;

  /// Whether its next solve of a problem of these environments makes A, b and contacts of their
  /// soft rows itself, by SoftSource::obstacles, and is left with the end of the step.
  virtual bool makes_contacts(const ContactProblem& /*problem*/) const { return false; }
  /// Of the next solve alone, of a problem whose contacts it makes: what is known of the steps that
  /// follow. It may begin them; they are those of the next solves then, as many as n_ahead() says,
  /// between which nothing else may be asked of it.
  virtual void look_ahead(StepsAhead&& /*ahead*/) {}
  /// Steps that it has begun and of which no solve has told.
  virtual int n_ahead() const { return 0; }

  /// Begins to bring what its last solve, which made the contacts, found of environments, once of
  /// each: returns while it comes. Before anything of the problem that it solved has changed,
  /// topologies and SoftSource::x of environments that are not left excepted.
  /// @throws RuntimeError where it is lost, as with a device that failed since
  virtual void begin_bringing(const std::vector<EnvironmentRange>& /*ranges*/) {}
  /// Waits for it, before the next bringing begins and before the next solve.
  /// @param out  theirs; of others it stays as it is
  /// @throws as above
  virtual void end_bringing(Solution* /*out*/) {}

  /// The nodes in the memory of the device that it solves on; between two solves.
  /// @throws RuntimeError where it solves on none, or where they are lost or the device fails
  virtual DeviceNodes gather(const WantedNodes& /*wanted*/) {
    throw RuntimeError("nodes on a device: the solver runs on the CPU");
  }

  /// What it remembers of an environment: empty before its first solve.
  virtual EnvironmentMemory memory(int /*env*/) { return {}; }
  /// Goes on with an environment from what a solver of the same options remembered, at whatever
  /// place: its next solve gives the bits that it would have given there. Memory that does not fit
  /// the environment of the next problem is forgotten. Others are not touched.
  virtual void set_memory(int /*env*/, const EnvironmentMemory&) {}
  /// Takes the coarse levels of topologies from a pool that other solvers take theirs from, and not
  /// from one of its own; bits are the same. Before anything else.
  virtual void share(const std::shared_ptr<AggregatePool>& /*aggregates*/) {}
  /// Its next solve is as of an environment that was never solved.
  void forget(int env) { set_memory(env, {}); }
};

/// Of environments [0, n_env).
SolverMemory memory_of(ContactSolver* solver, int n_env);
void set_memory_of(ContactSolver* solver, const SolverMemory& memory);

}  // namespace nodia
