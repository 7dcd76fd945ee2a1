/// What the solvers on contact forces share: environments, warm start, stopping rules, report.
#pragma once

#include <Eigen/Dense>

#include "host/solvers/complementarity/friction_law.hpp"
#include "host/solvers/delassus/operator.hpp"
#include "host/solvers/solve_by_environment.hpp"
#include "host/solvers/solver_options.hpp"
#include "kernels/contact/contact_error.hpp"

namespace nodia {

/// Watches one environment's iteration. It is held against the solver's own law; the error measures
/// of the report are those of host/errors for every solver. Because v = A^-1 (b + Jc^T lambda), the
/// dynamics hold exactly and the residual rule is left with the natural-map contact error; the
/// paper rule measures the change of lambda in velocity space, |A^-1 Jc^T dlambda|.
class ForceMonitor {
 public:
  ForceMonitor(const DelassusOperator& op, const ContactProblem& problem,
               const CommonOptions& options, const FrictionLaw& law);

  /// Called after every iteration with u = (D + omega I) lambda + d. @return true when the
  /// iteration is over
  bool stop(const Eigen::VectorXd& lambda, const Eigen::VectorXd& u);
  /// In place of stop(), by a method that ends by itself: converged where lambda meets the residual
  /// rule, otherwise as it says.
  void conclude(const Eigen::VectorXd& lambda, const Eigen::VectorXd& u, int iterations,
                SolveStatus otherwise, const std::string& reason);
  /// The iteration has ended by itself, with the iterates it has shown to stop().
  void conclude(SolveStatus status, const std::string& reason);
  SolveStatus status() const { return status_; }
  const std::string& reason() const { return reason_; }
  int iterations() const { return iterations_; }
  /// The answer: the last iterate where it converged, otherwise by AnswerRule.
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
  double least_error_;     ///< of the answer so far, as AnswerRule measures it
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
  /// The same on an operator made before from the same problem of one environment; reports its time
  /// as if made now.
  void solve_with(const DelassusOperator& op, const ContactProblem& problem, const WarmStart& warm,
                  Solution* out);

 protected:
  const CommonOptions& options() const { return options_; }
  /// The law its answers meet: `options().projection` unless it is said otherwise.
  virtual FrictionLaw law() const { return {.projection = options_.projection}; }
  /// Iterates from `lambda` until the monitor says stop, or concludes.
  virtual void iterate(const DelassusOperator& op, const ContactProblem& problem,
                       Eigen::VectorXd lambda, ForceMonitor* monitor) const = 0;

 private:
  VelocityAndForce solve_environment(const DelassusOperator& op, const ContactProblem& problem,
                                     const VelocityAndForce& start, SolveReport* report) const;

  CommonOptions options_;
};

}  // namespace nodia
