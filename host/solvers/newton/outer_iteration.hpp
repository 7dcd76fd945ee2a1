/// Solves one environment by the Newton method: alternates smoothing and Newton steps until the
/// error is small, with factors (outer_direct.cpp) or with multigrid (outer_multigrid.cpp).
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "host/solvers/newton/body_balance.hpp"
#include "host/solvers/newton/body_sweeps.hpp"
#include "host/solvers/newton/inverse_energy.hpp"
#include "host/solvers/newton/multigrid_solve.hpp"
#include "host/solvers/newton/newton_step.hpp"
#include "host/solvers/newton/safeguard.hpp"
#include "host/solvers/newton/whole_body_energy.hpp"
#include "host/solvers/solve_by_environment.hpp"

namespace nodia {

/// Data of one environment between its solves.
struct NewtonWork {
  NewtonWork(Factoriser factoriser, std::shared_ptr<AggregatePool> aggregates,
             const std::optional<DevicePlace>& device)
      : solve(factoriser), multigrid(std::move(aggregates), device) {}

  BlockMatrix K;             ///< storage for a step's matrix
  DirectSolve solve;         ///< has the analysis of the last pattern; changes no bits
  ChainSolve chains;         ///< same
  MultigridSolve multigrid;  ///< has patterns, which change no bits, and a direction, which is part
                             ///< of the state
  std::vector<Vec3d> direction;  ///< vector of the smoothing's power iteration; part of the state
  std::vector<Vec3d> before;     ///< initial velocity of the last solve; part of the state
};

class OuterIteration {
 public:
  /// @param start  velocity of the last step, and forces; each may be empty
  /// @param n_thread  threads for this environment, see ExecutionOptions::threads
  OuterIteration(const ContactProblem& problem, const CommonOptions& options, bool with_multigrid,
                 const VelocityAndForce& start, int n_thread, NewtonWork* work);

  void run(SolveReport* report);
  /// Cost of the solve in products with K.
  double work_units() const;
  VelocityAndForce solution();

 private:
  /// Multipliers of contacts that are not single are updated after an uncut step, and are the
  /// missing part of the error if they change by so much more than the step.
  static constexpr double kWholeStep = 0.9, kInnerShare = 0.2;
  static constexpr int kMostSteps = 200;

  std::vector<double> weights() const;
  void smooth();
  /// Evaluates the contact law and the residual at (y, lambda).
  void linearise();
  /// Smaller share of |A^-1 b|_A that counts as rounding.
  double rounding();
  const WholeBodyEnergy& whole_body_energy();
  /// Takes the velocity and the forces of the start as scales of the bodies.
  void begin_balance();
  /// Largest error of a body, in momentum or in the law of its rigid contacts.
  BodyError body_error();
  /// Sets the error in the report. @return true if the solve may end
  /// @param error  in the A-norm,  @param scale  |y| in the same norm
  bool is_small(double error, double scale, SolveReport* report);
  void keep_best(const SolveReport& report);
  void take_best(SolveReport* report);
  bool makes_progress(double error);
  bool change_way();
  bool refuse_what_is_not_finite(SolveReport* report) const;

  void run_direct(SolveReport* report);
  void solve_without_contacts(SolveReport* report);
  double estimate();
  double error_of_forces();
  bool is_small_with_forces(double error, SolveReport* report);
  bool run_safeguard(SolveReport* report);
  /// Limit of Newton steps.
  int most_steps() const { return std::min(options_.max_iterations, kMostSteps); }

  BodySweeps& sweeps();
  void restart_from_sweeps(const std::vector<Vec3d>& start);
  bool take_strict_steps(SolveReport* report);
  bool run_bodies(SolveReport* report);

  /// True if factors can solve what multigrid does not.
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
  std::optional<BodyBalance> balance_;
  std::optional<BodySweeps> sweeps_;
  NewtonWork& work_;
  bool with_multigrid_;
  std::vector<Vec3d> y_, g_, r_, d_, Kd_;
  std::vector<Vec3d> best_y_, best_lambda_;
  double last_error_ = 0;  ///< of the last is_small(), in the A-norm
  double best_error_ = std::numeric_limits<double>::infinity(), best_estimate_ = 0;
  int best_body_ = -1;
  std::vector<double> errors_;
  int n_smoothing_;
  bool hold_sections_ = false;
  bool is_from_nothing_ = false;             ///< no contact force was known at the start
  double decrement_ = 0, force_change_ = 0;  ///< values of the last estimate
  double share_ = 1;                         ///< length of the last step after the line search
  double floor_ = -1;                        ///< rounding(); < 0: unknown
};

}  // namespace nodia
