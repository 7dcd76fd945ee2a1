#include "host/solvers/delassus/delassus_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/errors/errors.hpp"
#include "host/solvers/linear/stacked_vector.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Forces of a solvable problem, times their diagonal compliance, are near the free velocity. Above
/// kForceCap of it they no longer excuse an error in velocity; above kInfeasibleForce the contacts
/// contradict each other.
constexpr double kForceCap = 1e3;
constexpr double kInfeasibleForce = 1e6;

}  // namespace

ForceMonitor::ForceMonitor(const DelassusOperator& op, const ContactProblem& problem,
                           const CommonOptions& options, const FrictionLaw& law)
    : op_(op),
      problem_(problem),
      options_(options),
      law_(law),
      least_error_(std::numeric_limits<double>::infinity()) {
  for (int m = 0; m < problem.n_contact(); ++m)
    free_speed_ = std::max(free_speed_, op.bias().segment<3>(3 * m).norm());
  for (const Vec3d d : delassus_diagonal_estimate(problem))
    compliance_.push_back(std::max({d.x, d.y, d.z}) + options.invertible_omega_m_Ns);
}

ContactError ForceMonitor::contact_error(const Eigen::VectorXd& lambda,
                                         const Eigen::VectorXd& u) const {
  ContactError error;
  for (int m = 0; m < problem_.n_contact(); ++m) {
    const Contact<double>& c = problem_.contacts[m];
    const Vec3d force = entry(lambda, m), velocity = entry(u, m);
    const double d = compliance_[m];
    error.add(law_.natural_map(force, velocity, d, c.mu1, c.mu2), force, velocity, d);
  }
  return error;
}

double ForceMonitor::relative(const ContactError& error) const {
  const double scale =
      std::max(error.speed_scale, std::min(error.force_scale, kForceCap * free_speed_));
  return scale > 0 ? error.worst / scale : error.worst;
}

double ForceMonitor::energy_error(const Eigen::VectorXd& lambda, const Eigen::VectorXd& u) const {
  const double t = problem_.step_s;
  const auto diagonal = op_.matrix().diagonal();
  double sum = 0;
  for (int m = 0; m < problem_.n_contact(); ++m) {
    const Contact<double>& c = problem_.contacts[m];
    const int k = 3 * m;
    sum += law_.energy_error({{t * lambda[k], t * lambda[k + 1], t * lambda[k + 2]},
                              {u[k], u[k + 1], u[k + 2]},
                              {diagonal[k] / t, diagonal[k + 1] / t, diagonal[k + 2] / t},
                              c.mu1,
                              c.mu2});
  }
  return sum;
}

bool ForceMonitor::small_step(const Eigen::VectorXd& u) const {
  // |Jc A^-1 Jc^T dlambda| bounds the step from below; a step above needs no exact length.
  const double omega = options_.invertible_omega_m_Ns;
  if ((u - previous_u_ - omega * last_change_).norm() >
      op_.jacobian_bound() * options_.tolerance * (1 + 1e-9))
    return false;
  return op_.velocity_step(last_change_) <= options_.tolerance;
}

bool ForceMonitor::end(SolveStatus status, const std::string& reason) {
  status_ = status;
  reason_ = reason;
  return true;
}

void ForceMonitor::conclude(const Eigen::VectorXd& lambda, const Eigen::VectorXd& u, int iterations,
                            SolveStatus otherwise, const std::string& reason) {
  iterations_ = iterations;
  answer_ = lambda;
  last_change_ = Eigen::VectorXd::Zero(lambda.size());
  const ContactError error = contact_error(lambda, u);
  if (std::isfinite(error.worst) && relative(error) <= options_.tolerance)
    end(SolveStatus::converged, "");
  else
    end(otherwise, reason);
}

void ForceMonitor::conclude(SolveStatus status, const std::string& reason) {
  end(status, reason);
}

bool ForceMonitor::stop(const Eigen::VectorXd& lambda, const Eigen::VectorXd& u) {
  ++iterations_;
  const ContactError error = contact_error(lambda, u);
  if (!std::isfinite(error.worst)) {
    return op_.matrix().allFinite() && op_.bias().allFinite()
               ? end(SolveStatus::diverged, "forces grew beyond all bounds")
               : end(SolveStatus::not_a_number, "the problem is not finite");
  }
  const double relative = this->relative(error);
  const double measure =
      options_.answer == AnswerRule::least_energy ? energy_error(lambda, u) : relative;
  if (options_.answer == AnswerRule::last || measure < least_error_) {
    least_error_ = measure;
    answer_ = lambda;
  }
  const bool first = previous_.size() == 0;
  if (!first) last_change_ = lambda - previous_;
  const bool accurate = relative <= options_.tolerance;
  const bool converged = options_.stop == StopRule::paper ? !first && small_step(u) : accurate;
  n_unchanged_ = !first && (last_change_.array() == 0).all() ? n_unchanged_ + 1 : 0;
  previous_ = lambda;
  previous_u_ = u;
  if (converged) {
    answer_ = lambda;
    return end(SolveStatus::converged, "");
  }
  if (!accurate && error.force_scale > kInfeasibleForce * free_speed_)
    return end(SolveStatus::infeasible,
               "forces grow without end: no velocity meets all contact conditions");
  if (n_unchanged_ >= 2) return end(SolveStatus::stalled, "forces no longer change");
  return iterations_ >= options_.max_iterations;
}

void DelassusSolver::solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) {
  solve_by_environment(problem, warm, options_, out,
                       [&](int, const ContactProblem& own, const VelocityAndForce& start,
                           VelocityAndForce* answer, SolveReport* report) {
                         const DelassusOperator op(own, options_.factor,
                                                   options_.invertible_omega_m_Ns);
                         report->delassus_s = op.seconds();
                         *answer = solve_environment(op, own, start, report);
                       });
}

void DelassusSolver::solve_with(const DelassusOperator& op, const ContactProblem& problem,
                                const WarmStart& warm, Solution* out) {
  if (problem.n_env() != 1 || op.n_node() != problem.n_node() ||
      op.n_contact() != problem.n_contact())
    throw InputError(
        "Delassus operator of another problem (must be made from the one to solve, of one "
        "environment)");
  solve_by_environment(problem, warm, options_, out,
                       [&](int, const ContactProblem& own, const VelocityAndForce& start,
                           VelocityAndForce* answer, SolveReport* report) {
                         report->delassus_s = op.seconds();
                         *answer = solve_environment(op, own, start, report);
                       });
  out->env[0].time_s += op.seconds();
}

VelocityAndForce DelassusSolver::solve_environment(const DelassusOperator& op,
                                                   const ContactProblem& problem,
                                                   const VelocityAndForce& start,
                                                   SolveReport* report) const {
  Eigen::VectorXd lambda = start.lambda.size() == op.bias().size()
                               ? start.lambda
                               : Eigen::VectorXd(Eigen::VectorXd::Zero(op.bias().size()));
  if (problem.n_contact() == 0) {
    report->status = SolveStatus::converged;
  } else {
    ForceMonitor monitor(op, problem, options_, law());
    iterate(op, problem, lambda, &monitor);
    report->status = monitor.status();
    report->reason = monitor.reason();
    report->iterations = monitor.iterations();
    report->velocity_step = monitor.velocity_step();
    if (monitor.answer().size() > 0) lambda = monitor.answer();
  }
  return {stacked(op.velocity(lambda)), lambda};
}

}  // namespace nodia
