#include "host/solvers/penalty/penalty.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/errors/errors.hpp"
#include "host/problem/contact_jacobian.hpp"
#include "host/solvers/linear/sparse_cholesky.hpp"
#include "host/solvers/solve_by_environment.hpp"
#include "kernels/contact/projections.hpp"

namespace nodia {
namespace {

using Eigen::VectorXd;

/// If contacts open and close in turn, steps get shorter, down to this share.
constexpr double kLeastShare = 1.0 / 64;

/// k t, c and d, all [N s/m].
struct PenaltyGains {
  double spring, damper, friction;
};

PenaltyGains gains_of(const PenaltyOptions& o, double step_s) {
  return {o.gain * o.stiffness_N_m * step_s, o.gain * o.damping_N_s_m, o.gain * o.friction_N_s_m};
}

/// Contact force of a contact velocity.
struct PenaltyLaw {
  const ContactProblem& problem;
  PenaltyGains gains;
  bool implicit;

  bool damped(const Contact<double>& c) const { return c.phi.x <= 0; }

  /// @param u  Jc v + phi of contact m [m/s]
  Vec3d operator()(int m, Vec3d u) const {
    const Contact<double>& c = problem.contacts[static_cast<std::size_t>(m)];
    const double gap_rate = implicit ? u.x : c.phi.x;
    double normal = -gains.spring * gap_rate;
    if (damped(c)) normal -= gains.damper * (u.x - c.phi.x);
    if (!implicit && !(gap_rate < 0)) normal = 0;
    const Vec3d trial{normal, -gains.friction * u.y, -gains.friction * u.z};
    return project_strict(trial, c.mu1, c.mu2);
  }
};

/// Linear gains that give the law's force at u: diagonal, >= 0, and the force at zero velocity.
struct SecantGains {
  Vec3d gain{};
  double force_n = 0;  ///< lambda = (force_n, 0, 0) - gain * (Jc v + phi)
};

SecantGains secant_gains(const PenaltyLaw& law, int m, Vec3d u) {
  const Contact<double>& c = law.problem.contacts[static_cast<std::size_t>(m)];
  const Vec3d lambda = law(m, u);
  SecantGains s;
  if (!(lambda.x > 0)) return s;
  const double damper = law.damped(c) ? law.gains.damper : 0;
  s.gain.x = law.gains.spring + damper;
  s.force_n = damper * c.phi.x;
  for (int axis = 1; axis < 3; ++axis)
    s.gain[axis] =
        u[axis] != 0 ? std::min(-lambda[axis] / u[axis], law.gains.friction) : law.gains.friction;
  return s;
}

/// Step of one environment.
class PenaltyStep {
 public:
  PenaltyStep(const ContactProblem& problem, const CommonOptions& options,
              const PenaltyOptions& own)
      : problem_(problem),
        options_(options),
        law_{problem, gains_of(own, problem.step_s),
             own.integration == PenaltyIntegration::implicit},
        A_(problem.A.to_eigen()),
        J_(contact_jacobian(problem)),
        diagonal_(delassus_diagonal_estimate(problem)),
        factor_(make_sparse_cholesky(options.factor.factoriser)),
        b_(stacked(problem.b)),
        phi_(contact_offset(problem)) {}

  VelocityAndForce solve(const VectorXd& start, SolveReport* report) {
    VelocityAndForce solution;
    solution.v = start.size() == b_.size() ? start : VectorXd(VectorXd::Zero(b_.size()));
    solution.lambda = VectorXd::Zero(phi_.size());
    report->status = SolveStatus::iteration_limit;
    if (!law_.implicit || phi_.size() == 0) {
      solution.lambda = force(solution.v);
      factorise(A_);
      solution.v = factor_->solve(b_ + J_.transpose() * solution.lambda);
      report->iterations = phi_.size() > 0 ? 1 : 0;
      report->status = SolveStatus::converged;
      return solution;
    }
    double share = 1, last_residual = std::numeric_limits<double>::infinity();
    do {
      const VectorXd previous = solution.v;
      solution.v = previous + share * (next(previous) - previous);
      solution.lambda = force(solution.v);
      report->velocity_step = (solution.v - previous).norm();
      ++report->iterations;
      residual_ = solution_errors(problem_, 0, split(solution.v), split(solution.lambda), diagonal_)
                      .relative_residual;
      share =
          residual_ < last_residual ? std::min(1.0, 2 * share) : std::max(kLeastShare, share / 2);
      last_residual = residual_;
    } while (!stop(solution, report));
    return solution;
  }

 private:
  void factorise(const Eigen::SparseMatrix<double>& matrix) {
    if (!factor_->factorise(matrix))
      throw RuntimeError("problem.A: not positive definite, its Cholesky factorisation failed");
  }

  VectorXd force(const VectorXd& v) const {
    const VectorXd u = J_ * v + phi_;
    VectorXd lambda(phi_.size());
    for (int m = 0; m < problem_.n_contact(); ++m) {
      const Vec3d now = law_(m, entry(u, m));
      for (int axis = 0; axis < 3; ++axis) lambda[3 * m + axis] = now[axis];
    }
    return lambda;
  }

  /// Solves for the velocity with the secant gains of v.
  VectorXd next(const VectorXd& v) {
    const VectorXd u = J_ * v + phi_;
    VectorXd gain(phi_.size()), free = VectorXd::Zero(phi_.size());
    for (int m = 0; m < problem_.n_contact(); ++m) {
      const SecantGains s = secant_gains(law_, m, entry(u, m));
      for (int axis = 0; axis < 3; ++axis) gain[3 * m + axis] = s.gain[axis];
      free[3 * m] = s.force_n;
    }
    const Eigen::SparseMatrix<double> JT = J_.transpose();
    factorise(A_ + Eigen::SparseMatrix<double>(JT * gain.asDiagonal() * J_));
    return factor_->solve(b_ + JT * (free - gain.cwiseProduct(phi_)));
  }

  bool stop(const VelocityAndForce& solution, SolveReport* report) const {
    if (!solution.v.allFinite() || !solution.lambda.allFinite()) {
      report->status = SolveStatus::not_a_number;
      report->reason = "the problem is not finite";
      return true;
    }
    const bool accurate =
        options_.stop == StopRule::paper
            ? report->iterations > 1 && report->velocity_step <= options_.tolerance
            : residual_ <= options_.tolerance;
    if (accurate) report->status = SolveStatus::converged;
    return accurate || report->iterations >= options_.max_iterations;
  }

  const ContactProblem& problem_;
  const CommonOptions& options_;
  PenaltyLaw law_;
  Eigen::SparseMatrix<double> A_;
  Eigen::SparseMatrix<double, Eigen::RowMajor> J_;
  std::vector<Vec3d> diagonal_;
  std::unique_ptr<SparseCholesky> factor_;
  VectorXd b_, phi_;
  double residual_ = 0;  ///< residual of the dynamics with the law's forces, as in the report
};

class PenaltySolver final : public ContactSolver {
 public:
  PenaltySolver(const CommonOptions& options, const PenaltyOptions& own)
      : options_(options), own_(own) {
    require(options.invertible_omega_m_Ns == 0, "solver.invertible_omega_m_Ns",
            options.invertible_omega_m_Ns, "0 with the solver penalty",
            "a penalty law has a compliance of its own, 1/(k t)");
  }

  void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) override {
    solve_by_environment(problem, warm, options_, out,
                         [&](int, const ContactProblem& own, const VelocityAndForce& start,
                             VelocityAndForce* solution, SolveReport* report) {
                           *solution = PenaltyStep(own, options_, own_).solve(start.v, report);
                         });
  }

 private:
  CommonOptions options_;
  PenaltyOptions own_;
};

}  // namespace

void visit_keys(KeyVisitor& v, PenaltyOptions& o) {
  v.real({"stiffness_N_m", "k, spring of every contact [N/m]"}, o.stiffness_N_m, Range::positive());
  v.real({"damping_N_s_m", "c, damper along the normal [N s/m]"}, o.damping_N_s_m,
         Range::between(0, 1e12));
  v.real({"friction_N_s_m", "d, viscous gain of friction below the cone [N s/m]"}, o.friction_N_s_m,
         Range::between(0, 1e12));
  v.real({"gain", "factor on all gains [-]: 1 is Penalty1, 10 is Penalty2"}, o.gain,
         Range::positive());
  v.choice({"integration", "where in the step the gains act"}, o.integration);
}

std::unique_ptr<ContactSolver> make_penalty_solver(const SolverOptions& options) {
  return std::make_unique<PenaltySolver>(options, options.of<PenaltyOptions>());
}

}  // namespace nodia
