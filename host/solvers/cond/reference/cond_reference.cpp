#include "host/solvers/cond/reference/cond_reference.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/problem/contact_jacobian.hpp"
#include "host/solvers/linear/stacked_vector.hpp"
#include "host/solvers/solve_by_environment.hpp"
#include "kernels/vfpi/control.hpp"

namespace nodia {
namespace {

using Eigen::VectorXd;

/// Terms of one contact in the contact solve.
struct SurrogateContact {
  bool alone = true;  ///< its row touches only the static world: such contacts of a row are solved
                      ///< one after another
  double gamma =
      0;  ///< w_i if alone; else c_i w_i + c_j w_j, c the contacts on a row: (25) if c = 1
};

std::vector<SurrogateContact> surrogate_contacts(const ContactProblem& p, const VectorXd& w) {
  std::vector<int> count(p.b.size(), 0), coupled(p.b.size(), 0);
  for (const Contact<double>& c : p.contacts)
    for (const std::int32_t side : {c.side_i, c.side_j})
      if (side != kWorld) {
        ++count[side];
        coupled[side] += c.side_j != kWorld;
      }
  std::vector<SurrogateContact> contacts;
  for (const Contact<double>& c : p.contacts) {
    const auto share = [&](std::int32_t row) { return count[row] * w[3 * row]; };
    if (coupled[c.side_i] == 0)
      contacts.push_back({true, w[3 * c.side_i]});
    else
      contacts.push_back({false, share(c.side_i) + (c.side_j == kWorld ? 0 : share(c.side_j))});
  }
  return contacts;
}

/// Parameters of Nesterov's scheme.
struct Nesterov {
  double t = 1, momentum = 0;

  void next(bool restart) {
    const double t_next = (1 + std::sqrt(1 + 4 * t * t)) / 2;
    momentum = restart ? 0 : (t - 1) / t_next;
    t = restart ? 1 : t_next;
  }
};

/// alpha of iteration l in the metric of W, in [1e-3, 1]; the last one without curvature.
/// @param s, z  changes of the velocity and of its gradient
double barzilai_borwein(WKind kind, int l, const VectorXd& s, const VectorXd& z, const VectorXd& w,
                        double last) {
  const bool first = kind == WKind::bb1 || (kind == WKind::bb_alternating && l % 2 == 0);
  const double alpha = first ? s.dot(s.cwiseQuotient(w)) / s.dot(z)  // alpha_1
                             : s.dot(z) / z.dot(z.cwiseProduct(w));  // alpha_2
  return s.dot(z) > 0 && std::isfinite(alpha) ? std::clamp(alpha, 1e-3, 1.0) : last;
}

}  // namespace

double ReferenceSteps::chebyshev_nu(double nu, double rho, int l, int slow_start) {
  if (l < slow_start) return 1;
  if (l == slow_start) return 2 / (2 - rho * rho);
  return 4 / (4 - rho * rho * nu);
}

void iterate_reference(const NodalSystem& system, const ReferenceSteps& steps,
                       const SolverOptions& options, ReferenceState* state, SolveReport* report) {
  const CondOptions& o = options.of<CondOptions>();
  const ContactProblem& p = system.nodal;
  const Eigen::SparseMatrix<double> A = p.A.to_eigen();
  const Eigen::SparseMatrix<double, Eigen::RowMajor> Jc = contact_jacobian(p);
  const VectorXd b = stacked(p.b), phi = contact_offset(p);
  const auto& W = steps.W.times;
  const std::vector<SurrogateContact> surrogate = surrogate_contacts(p, steps.W.w);

  VectorXd &v = state->v, &lambda = state->lambda;
  VectorXd y = v, y_prev = v, v_prev = v, gradient_prev;
  VectorXd bias = (o.bias_cancellation ? -1 : 0) * ahead_of_points(system, lambda);
  double alpha = 1, nu = 1, step = 0;
  Nesterov nesterov;
  int tests_since_bias = 0;

  for (int l = 1; l <= options.max_iterations; ++l) {
    const VectorXd gradient = A * y - b;
    if (is_barzilai_borwein(o.w) && l > 1)
      alpha = barzilai_borwein(o.w, l, y - y_prev, gradient - gradient_prev, steps.W.w, alpha);
    const VectorXd v_star = y - alpha * W(gradient);  // (20)

    v = v_star + alpha * W(Jc.transpose() * lambda);
    VectorXd lambda_next = lambda;
    for (int m = 0; m < p.n_contact(); ++m) {
      const auto J = Jc.middleRows(3 * m, 3);
      const VectorXd u = J * v + phi.segment<3>(3 * m) + bias.segment<3>(3 * m);
      const double gamma = alpha * surrogate[m].gamma;  // (25)
      const Vec3d force = steps.contact(law_of(options.projection, p.contacts[m]), entry(lambda, m),
                                        entry(u, 0), gamma,
                                        options.invertible_omega_m_Ns);  // Alg. 2, (37)
      lambda_next.segment<3>(3 * m) << force.x, force.y, force.z;
      if (surrogate[m].alone)
        v += gamma * (J.transpose() * (lambda_next - lambda).segment<3>(3 * m));
    }
    lambda = lambda_next;
    v = v_star + alpha * W(Jc.transpose() * lambda);  // (24)
    steps.observe(*state);

    VectorXd y_next = v;
    switch (o.acceleration) {
      case Acceleration::none:
        break;
      case Acceleration::chebyshev:
        y_next = nu * (o.under_relaxation * (v - y) + y - y_prev) + y_prev;  // (38)
        break;
      case Acceleration::nesterov:
        y_next = v + nesterov.momentum * (v - v_prev);
        break;
      case Acceleration::heavy_ball:
        y_next = y + o.under_relaxation * (v - y) + (nu - 1) * (y - y_prev);  // Polyak 1964
        break;
    }
    const double step_before = std::exchange(step, (y_next - y).norm());

    report->iterations = l;
    report->velocity_step = step;
    if (!std::isfinite(step)) return;
    if (options.stop == StopRule::paper) {
      if (step <= options.tolerance) report->status = SolveStatus::converged;  // Alg. 1
    } else if (l % options.check_every == 0 || l == options.max_iterations) {
      const NodalErrors error = errors_of(system, options, *state, bias);
      if (std::max(error.residual, error.contact) <= options.tolerance)
        report->status = SolveStatus::converged;
      if (error.bias_change > 0 &&
          (++tests_since_bias >= kBiasTests ||
           std::max(error.residual, error.inner) < kBiasShare * error.bias_change)) {
        bias = -ahead_of_points(system, lambda);  // math.md, 4b
        tests_since_bias = 0;
      }
    }
    if (report->status == SolveStatus::converged) return;

    const double rho = step_before > 0 ? std::min(step / step_before, 1.0) : 1;  // (39)
    nu = steps.next_nu(nu, rho, l + 1, o.slow_start);
    nesterov.next((y - v).dot((v - v_prev).cwiseQuotient(steps.W.w)) > 0);
    gradient_prev = gradient;
    v_prev = v;
    y_prev = y;
    y = y_next;
  }
}

namespace {

class CondReference : public ContactSolver {
 public:
  explicit CondReference(SolverOptions options) : options_(std::move(options)) {}

  void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) override {
    const auto solve_one = [this](int, const ContactProblem& own, const VelocityAndForce& start,
                                  VelocityAndForce* solution, SolveReport* report) {
      const NodalSystem system(own, options_);
      const double lambda_max =
          largest_eigenvalue(system, step_size_matrix(system, options_.of<CondOptions>().w));
      const double scale = guard_scale(system, options_, lambda_max);
      ReferenceSteps steps;
      steps.W = step_size_matrix(system, options_.of<CondOptions>().w, scale);
      ReferenceState state = reference_start(system, start.v, start.lambda);
      iterate_reference(system, steps, options_, &state, report);
      report->lambda_max_WA = scale * lambda_max;
      *solution = {state.v.head(3 * own.n_node()), state.lambda};
    };
    solve_by_environment(problem, warm, options_, out, solve_one);
  }

 private:
  SolverOptions options_;
};

}  // namespace

std::unique_ptr<ContactSolver> make_cond_reference_solver(const SolverOptions& options) {
  return std::make_unique<CondReference>(options);
}

}  // namespace nodia
