/// One environment's solve by the Newton solver: smoothing, a Newton step, again, until the error
/// is known to be small. Two forms of it: with factors of the step's matrix (outer_direct.cpp), and
/// with multigrid (outer_multigrid.cpp).
#pragma once

#include <limits>
#include <optional>

#include "host/solvers/newton/inverse_energy.hpp"
#include "host/solvers/newton/multigrid_solve.hpp"
#include "host/solvers/newton/newton_step.hpp"
#include "host/solvers/newton/safeguard.hpp"
#include "host/solvers/newton/whole_body_energy.hpp"
#include "host/solvers/solve_by_environment.hpp"

namespace nodia {

/// What one environment keeps between its solves.
struct NewtonWork {
  NewtonWork(Factoriser factoriser, std::shared_ptr<AggregatePool> aggregates,
             const std::optional<DevicePlace>& device)
      : solve(factoriser), multigrid(std::move(aggregates), device) {}

  BlockMatrix K;      ///< room for a step's matrix
  DirectSolve solve;  ///< the analysis of the last pattern; changes no bits
  ChainSolve chains;  ///< likewise
  MultigridSolve
      multigrid;  ///< patterns, which change no bits, and a direction, which is remembered
  std::vector<Vec3d> direction;  ///< of the smoothing's power iteration; remembered
  std::vector<Vec3d> before;     ///< the velocity that the last solve started from; remembered
};

class OuterIteration {
 public:
  /// @param start  the velocity of the last step, and forces; each may be empty
  /// @param n_thread  in this environment, as ExecutionOptions::threads
  OuterIteration(const ContactProblem& problem, const CommonOptions& options, bool with_multigrid,
                 const VelocityAndForce& start, int n_thread, NewtonWork* work);

  void run(SolveReport* report);
  /// All that was done, in products with K.
  double work_units() const;
  VelocityAndForce answer();

 private:
  /// The multipliers of contacts that are not single follow a step that was not cut, and are what
  /// is missing where they would change by so much more than the step.
  static constexpr double kWholeStep = 0.9, kInnerShare = 0.2;

  std::vector<double> weights() const;
  void smooth();
  /// The contact law and the residual at (y, lambda).
  void linearise();
  /// The smaller share of |A^-1 b|_A that counts as rounding.
  double rounding();
  const WholeBodyEnergy& whole_body_energy();
  double imbalance() const;
  void keep_best(double error, double estimate);
  void take_best(SolveReport* report);
  bool watch_progress(double error);
  bool refuse_what_is_not_finite(SolveReport* report) const;

  void run_direct(SolveReport* report);
  void solve_without_contacts(SolveReport* report);
  double estimate();
  double error_of_forces();
  bool is_small(double error, SolveReport* report);
  bool run_safeguard(SolveReport* report);

  /// Whether factors are there for what multigrid does not solve.
  bool has_factors() const;
  bool run_multigrid(SolveReport* report);
  bool solve_smooth_problem(SolveReport* report);
  bool extrapolate();
  bool begin_step();
  double error_of_whole_bodies();
  void take_step(SolveReport* report);
  double velocity_scale() const;

  const ContactProblem& problem_;
  const CommonOptions& options_;
  std::vector<Vec3d> lambda_;
  RelativeSystem system_;
  Smoothing smoothing_;
  NewtonStep step_;
  InverseEnergy energy_;
  Safeguard safeguard_;
  std::optional<WholeBodyEnergy> whole_body_energy_;
  NewtonWork& work_;
  bool with_multigrid_;
  std::vector<Vec3d> y_, g_, r_, d_, Kd_;
  std::vector<Vec3d> best_y_, best_lambda_;
  double best_error_ = std::numeric_limits<double>::infinity(), best_estimate_ = 0;
  std::vector<double> errors_;
  int n_smoothing_;
  bool hold_sections_ = false;
  double decrement_ = 0, force_change_ = 0;  ///< of the last estimate
  double share_ = 1;                         ///< of the last step that the line search left
  double floor_ = -1;                        ///< rounding(); < 0: not known yet
};

}  // namespace nodia
