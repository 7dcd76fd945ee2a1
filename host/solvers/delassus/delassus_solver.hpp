/// Base of the solvers on contact forces: environments, initial guess, stopping rules, report.
#pragma once

#include <Eigen/Dense>

#include "host/solvers/complementarity/friction_law.hpp"
#include "host/solvers/delassus/operator.hpp"
#include "host/solvers/solve_by_environment.hpp"
#include "host/solvers/solver_options.hpp"
#include "kernels/contact/contact_error.hpp"

namespace nodia {

/// Monitors the iteration of one environment with the solver's own law; the errors of the report
/// come from host/errors for every solver. Because v = A^-1 (b + Jc^T lambda), the dynamics hold
/// exactly: the residual rule evaluates only the natural-map contact error, and the paper rule the
/// change of lambda in velocity space, |A^-1 Jc^T dlambda|.
class ForceMonitor {
 public:
  ForceMonitor(const DelassusOperator& op, const ContactProblem& problem,
               const CommonOptions& options, const FrictionLaw& law);

  /// Called after every iteration with u = (D + omega I) lambda + d. @return true to end it
  bool stop(const Eigen::VectorXd& lambda, const Eigen::VectorXd& u);
  /// Replaces stop() for direct methods: converged by the residual rule, else the given status.
  void conclude(const Eigen::VectorXd& lambda, const Eigen::VectorXd& u, int iterations,
                SolveStatus otherwise, const std::string& reason);
  /// Ends the iteration by the method itself, with the iterates that stop() has seen.
  void conclude(SolveStatus status, const std::string& reason);
  SolveStatus status() const { return status_; }
  const std::string& reason() const { return reason_; }
  int iterations() const { return iterations_; }
  /// Returned forces: the last iterate if it converged, otherwise by AnswerRule.
  const Eigen::VectorXd& answer() const { return answer_; }
  double velocity_step() const { return op_.velocity_step(last_change_); }

 private:
  bool end(SolveStatus status, const std::string& reason);
  ContactError contact_error(const Eigen::VectorXd& lambda, const Eigen::VectorXd& u) const;
  double relative(const ContactError& error) const;
  /// Sum over the contacts [J].
  double energy_error(const Eigen::VectorXd& lambda, const Eigen::VectorXd& u) const;
  bool small_step(const Eigen::VectorXd& u) const;

  const DelassusOperator& op_;
  const ContactProblem& problem_;
  const CommonOptions& options_;
  FrictionLaw law_;
  std::vector<double> compliance_;  ///< d_m of the natural map [m/(N s)]
  Eigen::VectorXd previous_, previous_u_, last_change_, answer_;
  double least_error_;     ///< error of the best iterate by AnswerRule
  double free_speed_ = 0;  ///< largest contact velocity without forces [m/s]
  SolveStatus status_ = SolveStatus::iteration_limit;
  std::string reason_;
  int iterations_ = 0;
  int n_unchanged_ = 0;
};

class DelassusSolver : public ContactSolver {
 public:
  explicit DelassusSolver(const CommonOptions& options) : options_(options) {}
  void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) final;
  /// Same with an existing operator of the same problem with one environment; the reported time
  /// includes the operator's construction.
  void solve_with(const DelassusOperator& op, const ContactProblem& problem, const WarmStart& warm,
                  Solution* out);

 protected:
  const CommonOptions& options() const { return options_; }
  /// Law of its solutions; options().projection by default.
  virtual FrictionLaw law() const { return {.projection = options_.projection}; }
  /// Iterates from `lambda` until the monitor stops it, or concludes.
  virtual void iterate(const DelassusOperator& op, const ContactProblem& problem,
                       Eigen::VectorXd lambda, ForceMonitor* monitor) const = 0;

 private:
  VelocityAndForce solve_environment(const DelassusOperator& op, const ContactProblem& problem,
                                     const VelocityAndForce& start, SolveReport* report) const;

  CommonOptions options_;
};

}  // namespace nodia
