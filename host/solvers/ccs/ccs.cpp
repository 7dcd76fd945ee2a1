#include "host/solvers/ccs/ccs.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "host/errors/errors.hpp"
#include "host/problem/contact_jacobian.hpp"
#include "host/solvers/linear/sparse_cholesky.hpp"
#include "host/solvers/solve_by_environment.hpp"
#include "kernels/contact/law.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/stopwatch.hpp"

namespace nodia {
namespace {

using Eigen::VectorXd;

/// The block estimate of a contact's compliance is a lower bound; soft bodies are more compliant.
/// So the start is below one (smallest errors on soft_mat at 0.03 to 0.1).
constexpr double kFirstPenalty = 0.1;
/// The automatic penalty is corrected if the two halves of the error differ by more than
/// kUnbalanced, at most kMaxCorrections times; each correction costs a factorisation.
constexpr double kUnbalanced = 5;
constexpr int kMaxCorrections = 6;
/// With Coulomb's law the iteration can cycle. If the error does not fall to kProgress of its
/// minimum in kPatience iterations, the iteration continues without over-relaxation and with
/// another penalty: larger and smaller in turn by powers of kSpread, at most kMaxEscapes times.
constexpr double kProgress = 0.9;
constexpr int kPatience = 300;
constexpr double kSpread = 4;
constexpr int kMaxEscapes = 6;

/// Iteration of one environment.
class Splitting {
 public:
  Splitting(const ContactProblem& problem, const CommonOptions& options, const CcsOptions& own)
      : problem_(problem),
        options_(options),
        penalty_(own.penalty),
        over_relaxation_(own.over_relaxation),
        A_(problem.A.to_eigen()),
        J_(contact_jacobian(problem)),
        diagonal_(delassus_diagonal_estimate(problem)),
        factor_(make_sparse_cholesky(options.factor.factoriser)),
        b_(stacked(problem.b)),
        phi_(contact_offset(problem)) {
    set_penalty(penalty_ > 0 ? penalty_ : kFirstPenalty);
  }

  /// @param v, lambda  initial guess; empty: zero
  void run(const VectorXd& v, const VectorXd& lambda, SolveReport* report);
  const VectorXd& v() const { return v_; }
  const VectorXd& lambda() const { return lambda_; }
  double factor_seconds() const { return factor_seconds_; }

 private:
  void set_penalty(double penalty);
  void iterate();
  void project();
  bool test(SolveReport* report);
  bool contradictory() const;
  void balance();
  void escape(double error, int iteration);
  void keep_best(const ErrorReport& error);

  const ContactProblem& problem_;
  const CommonOptions& options_;
  double penalty_, over_relaxation_;
  Eigen::SparseMatrix<double> A_;
  Eigen::SparseMatrix<double, Eigen::RowMajor> J_;
  std::vector<Vec3d> diagonal_;
  std::unique_ptr<SparseCholesky> factor_;
  VectorXd b_, phi_;
  VectorXd R_;                           ///< three equal entries per contact [N s/m]
  VectorXd v_, u_, y_, lambda_;          ///< values of the last iteration
  VectorXd v_old_, y_old_, lambda_old_;  ///< values of the iteration before
  VectorXd best_v_, best_lambda_;        ///< best tested iterate by AnswerRule
  double best_error_ = std::numeric_limits<double>::infinity();
  double applied_penalty_ = 1;  ///< R = applied_penalty/d_m
  int n_correction_ = 0;
  int n_escape_ = 0, last_progress_ = 0;
  double least_error_ = std::numeric_limits<double>::infinity();
  double factor_seconds_ = 0;
};

void Splitting::set_penalty(double penalty) {
  const Stopwatch watch;
  applied_penalty_ = penalty;
  R_.resize(phi_.size());
  for (int m = 0; m < problem_.n_contact(); ++m) {
    const Vec3d d = diagonal_[static_cast<std::size_t>(m)];
    R_.segment<3>(3 * m).setConstant(penalty / std::max({d.x, d.y, d.z}));
  }
  Eigen::SparseMatrix<double> K = A_;
  if (R_.size() > 0) {
    const Eigen::SparseMatrix<double> JT = J_.transpose();
    K += Eigen::SparseMatrix<double>(JT * R_.asDiagonal() * J_);
  }
  if (!factor_->factorise(K))
    throw RuntimeError("problem.A: not positive definite, its Cholesky factorisation failed");
  factor_seconds_ += watch.seconds();
}

/// Computes lambda and y from u, contact by contact.
void Splitting::project() {
  const double omega = options_.invertible_omega_m_Ns;
  for (int m = 0; m < problem_.n_contact(); ++m) {
    const Contact<double>& c = problem_.contacts[m];
    const double r = R_[3 * m];
    const Vec3d x = (1 / (1 + r * omega)) * (entry(lambda_, m) - r * entry(u_, m));
    const Vec3d now = nodia::project(options_.projection, x, c.mu1, c.mu2);
    for (int axis = 0; axis < 3; ++axis) {
      const int k = 3 * m + axis;
      y_[k] = u_[k] + (now[axis] - lambda_[k]) / r;
      lambda_[k] = now[axis];
    }
  }
}

void Splitting::iterate() {
  v_old_.swap(v_);
  y_old_ = y_;
  lambda_old_ = lambda_;
  v_ = factor_->solve(b_ + J_.transpose() * (lambda_ + R_.cwiseProduct(y_ - phi_)));
  u_ = J_ * v_ + phi_;
  if (over_relaxation_ != 1) u_ = over_relaxation_ * u_ + (1 - over_relaxation_) * y_;
  project();
}

/// True if the forces grow steadily in one direction, in mutual balance, and the contact conditions
/// do work along it: a certificate that no velocity satisfies the conditions.
bool Splitting::contradictory() const {
  const VectorXd growth = lambda_ - lambda_old_;
  const VectorXd unbalanced = J_.transpose() * growth;
  const double size = growth.lpNorm<1>();
  if (!(size > 0) || unbalanced.lpNorm<Eigen::Infinity>() > 1e-9 * size) return false;
  for (int m = 0; m < problem_.n_contact(); ++m)
    if (growth[3 * m] < -1e-9 * size) return false;
  const double work = growth.dot(phi_);
  return work < -1e-6 * growth.cwiseAbs().dot(phi_.cwiseAbs());
}

/// Corrects the penalty so that both halves of the error have equal shares of their bounds.
void Splitting::balance() {
  if (penalty_ > 0 || n_correction_ >= kMaxCorrections) return;
  const VectorXd root = R_.cwiseSqrt();
  const VectorXd u = J_ * v_ + phi_;
  const double primal = root.cwiseProduct(u - y_).norm();
  const double dual = root.cwiseProduct(y_ - y_old_).norm();
  const double primal_scale = root.cwiseProduct(y_).norm() + root.cwiseProduct(phi_).norm();
  const double dual_scale = lambda_.cwiseQuotient(root).norm();
  if (!(primal > 0 && dual > 0 && primal_scale > 0 && dual_scale > 0)) return;
  const double ratio = std::sqrt((primal / primal_scale) / (dual / dual_scale));
  if (!std::isfinite(ratio) || (ratio < kUnbalanced && ratio > 1 / kUnbalanced)) return;
  ++n_correction_;
  set_penalty(applied_penalty_ * ratio);
}

void Splitting::escape(double error, int iteration) {
  if (error < kProgress * least_error_) {
    least_error_ = error;
    last_progress_ = iteration;
  }
  if (penalty_ > 0 || n_escape_ >= kMaxEscapes || iteration - last_progress_ < kPatience) return;
  over_relaxation_ = 1;
  n_correction_ = kMaxCorrections;
  ++n_escape_;
  const double factor = std::pow(kSpread, n_escape_);
  set_penalty(applied_penalty_ * (n_escape_ % 2 == 1 ? factor : 1 / factor));
  least_error_ = error;
  last_progress_ = iteration;
}

/// Stores the best iterate. The energy of its error is in its contacts and in its dynamics.
void Splitting::keep_best(const ErrorReport& error) {
  double measure = std::max(error.relative_residual, error.natural_map_error);
  if (options_.answer == AnswerRule::least_energy)
    measure = error.energy_error_J + (std::isnan(error.certificate_J) ? 0 : error.certificate_J);
  if (options_.answer != AnswerRule::last && !(measure < best_error_)) return;
  best_error_ = measure;
  best_v_ = v_;
  best_lambda_ = lambda_;
}

/// @return true if the iteration ends
bool Splitting::test(SolveReport* report) {
  const auto end = [&](SolveStatus status, const char* reason) {
    report->status = status;
    report->reason = reason;
    return true;
  };
  if (!v_.allFinite() || !lambda_.allFinite())
    return b_.allFinite() && phi_.allFinite()
               ? end(SolveStatus::diverged, "forces grew beyond all bounds")
               : end(SolveStatus::not_a_number, "the problem is not finite");
  const bool first = report->iterations == 1;
  const bool last = report->iterations >= options_.max_iterations;
  report->velocity_step = (v_ - v_old_).norm();
  if (options_.stop == StopRule::paper) {
    if (!first && report->velocity_step <= options_.tolerance)
      return end(SolveStatus::converged, "");
  }
  if (report->iterations % options_.check_every != 0 && !last) return false;
  if (options_.stop != StopRule::paper) {
    const ErrorReport error = measure_errors(problem_, 0, split(v_), split(lambda_), diagonal_,
                                             options_.projection, options_.invertible_omega_m_Ns);
    if (error.relative_residual <= options_.tolerance &&
        error.natural_map_error <= options_.tolerance)
      return end(SolveStatus::converged, "");
    keep_best(error);
    escape(std::max(error.relative_residual, error.natural_map_error), report->iterations);
  }
  if (last) return true;
  if (!first && v_ == v_old_ && lambda_ == lambda_old_ && y_ == y_old_)
    return end(SolveStatus::stalled, "velocities and forces no longer change");
  if (contradictory())
    return end(SolveStatus::infeasible,
               "forces grow without end: no velocity meets all contact conditions");
  balance();
  return false;
}

void Splitting::run(const VectorXd& v, const VectorXd& lambda, SolveReport* report) {
  if (R_.size() == 0) {
    v_ = factor_->solve(b_);
    lambda_ = VectorXd(0);
    report->status = SolveStatus::converged;
    return;
  }
  v_ = v.size() == b_.size() ? v : VectorXd(VectorXd::Zero(b_.size()));
  lambda_ = lambda.size() == phi_.size() ? lambda : VectorXd(VectorXd::Zero(phi_.size()));
  u_ = J_ * v_ + phi_;
  y_ = u_;
  project();
  report->status = SolveStatus::iteration_limit;
  do {
    iterate();
    ++report->iterations;
  } while (!test(report));
  if (report->status != SolveStatus::converged && report->status != SolveStatus::not_a_number &&
      best_v_.size() > 0) {
    v_ = best_v_;
    lambda_ = best_lambda_;
  }
}

class CcsSolver final : public ContactSolver {
 public:
  CcsSolver(const CommonOptions& options, const CcsOptions& own) : options_(options), own_(own) {}

  void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) override {
    solve_by_environment(problem, warm, options_, out,
                         [&](int, const ContactProblem& own, const VelocityAndForce& start,
                             VelocityAndForce* answer, SolveReport* report) {
                           Splitting splitting(own, options_, own_);
                           splitting.run(start.v, start.lambda, report);
                           report->delassus_s = splitting.factor_seconds();
                           *answer = {splitting.v(), splitting.lambda()};
                         });
  }

 private:
  CommonOptions options_;
  CcsOptions own_;
};

}  // namespace

void visit_keys(KeyVisitor& v, CcsOptions& o) {
  v.real({"penalty", "penalty times the diagonal compliance of its contact [-]; 0: automatic"},
         o.penalty, Range::between(0, 1e12));
  v.real({"over_relaxation", "alpha, of the contact velocities [-]"}, o.over_relaxation,
         Range::between(0.1, 1.9));
}

std::unique_ptr<ContactSolver> make_ccs_solver(const SolverOptions& options) {
  return std::make_unique<CcsSolver>(options, options.of<CcsOptions>());
}

}  // namespace nodia
