/// What a solver takes and gives. Solvers know a ContactProblem and nothing else.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/solvers/parameters.hpp"
#include "kernels/vfpi/options.hpp"

namespace nodia {

enum class Precision { double_, mixed, float_ };  ///< of COND: kernels/vfpi/options.hpp
enum class Backend { cpu, cuda };
enum class Factoriser { simplicial, cholmod };
/// Which iterate is returned where the solver did not converge: the one of least contact error, the
/// last, or the one of least energy error (Enzenhoefer et al.). COND always returns its iterate of
/// least residual, whose certificate bounds an energy; direct methods have one answer.
enum class AnswerRule { least_contact, last, least_energy };

struct SolverOptions {
  std::string solver = "cond";         ///< name in the catalogue
  StopRule stop = StopRule::residual;  ///< which rule ends the iteration; named in every result
  double tolerance = 1e-4;    ///< in (0, 1); residual: relative [-], paper: |v_new - v_old| [m/s]
  int max_iterations = 2000;  ///< [1, 1e7]
  int check_every = 8;        ///< iterations between tests of the residual rule [1, 1000]
  Projection projection = Projection::strict;
  double invertible_omega_m_Ns = 0;  ///< omega of (37): the contact law holds for u + omega lambda,
                                     ///< so that velocities give the forces; >= 0 [m/(N s)], 0: off
  WKind w = WKind::frobenius;
  int w_recycle_steps = 1;  ///< steps for which W and its spectral estimate are kept [1, 1000]
  Acceleration acceleration = Acceleration::chebyshev;
  double under_relaxation = 0.95;  ///< u of (38), in (0, 1]
  int slow_start = 5;              ///< ls of (38), [2, 1000]
  double virtual_gain = 10;  ///< kv of virtual nodes times the mean diagonal of their contact's
                             ///< Delassus block [-], > 0
  double virtual_gain_N_s_m = 0;  ///< the same kv for all [N s/m]; 0: from virtual_gain
  bool bias_cancellation = true;  ///< removes the error lambda/kv of virtual nodes
  Precision precision = Precision::double_;
  Backend backend = Backend::cpu;  ///< where COND's loop runs; other solvers run on the CPU
  int threads = 0;                 ///< 0: chosen from the problem's size and the machine
  AnswerRule answer = AnswerRule::least_contact;   ///< which iterate is returned unconverged
  Factoriser factoriser = Factoriser::simplicial;  ///< of A, for solvers on the Delassus operator
  bool sparse_rhs = false;      ///< Delassus right-hand sides: dense as in the paper, or sparse
  bool full_errors = false;     ///< exact Delassus diagonal in the error measures (`--errors full`)
  SolverParameters parameters;  ///< options of single solvers that differ from their defaults

  /// Throws InputError `solver.key = value (must be rule; hint)` for the first broken rule.
  void validate() const;
};

/// How the solution of one environment ended.
struct SolveReport {
  SolveStatus status = SolveStatus::iteration_limit;
  std::string reason;  ///< in words, where the status does not say it all
  int iterations = 0;
  double velocity_step = 0;      ///< last |v_new - v_old| [m/s], the paper's measure
  double relative_residual = 0;  ///< |r|_(M^-1)/max(|b|, |Jc^T lambda|)_(M^-1) [-]
  double natural_map_error = 0;  ///< scaled as in the stopping rule [-]
  double energy_error_J = 0;     ///< NaN unless full errors were asked for [J]
  double certificate_J =
      0;  ///< e_dyn >= (t/2)|v - v_exact|_A^2; NaN where the problem has no mass [J]
  double lambda_max_WA = 0;     ///< spectral estimate used by the guard; 0 where there is none
  int restarts = 0;             ///< fallbacks to the safe iteration
  bool absolute_floor = false;  ///< the absolute floor of the residual rule decided
  double time_s = 0;            ///< wall time of the whole solve
  double delassus_s = 0;        ///< of it, factorisation and Delassus operator
  double before_loop_s = 0;     ///< of it, COND's matrix, W and first test
  double loop_s = 0;            ///< of it, COND's iterations and tests; on the device the times are
                                ///< its own, and an environment's are its share of the batch's
};

struct Solution {
  std::vector<Vec3d> v;          ///< [n_node] representative velocity v_hat [m/s]
  std::vector<Vec3d> lambda;     ///< [n_contact] contact force, contact frame [N]
  std::vector<SolveReport> env;  ///< [n_env]
};

class ContactSolver {
 public:
  virtual ~ContactSolver() = default;
  /// Solves every environment by itself. Never throws for non-convergence: see SolveReport::status.
  virtual void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) = 0;
};

/// A solver by its name in the catalogue. @throws InputError naming the nearest known name, or a
/// bad option
std::unique_ptr<ContactSolver> make_solver(const SolverOptions& options);

/// The catalogue, a visible table.
struct SolverEntry {
  const char* name;
  const char* description;
  std::unique_ptr<ContactSolver> (*make)(const SolverOptions&);
  std::vector<SolverParameter> parameters{};
};
const std::vector<SolverEntry>& solver_catalogue();

const char* name_of(SolveStatus);
/// Whether a step that ends so has no answer or a wrong one, so that a run which holds it has
/// failed. The others (iteration_limit, stalled, infeasible) have the best one that was found.
bool is_failure(SolveStatus);
const char* name_of(StopRule);
const char* name_of(Projection);
const char* name_of(WKind);
const char* name_of(Acceleration);
const char* name_of(Precision);
const char* name_of(Backend);
const char* name_of(Factoriser);
const char* name_of(AnswerRule);

}  // namespace nodia
