#include "host/solvers/delassus/pgs.hpp"

#include "fem/matrix/symmetric_eigen.hpp"
#include "kernels/contact/law.hpp"

namespace nodia {
namespace {

/// Sweeps between recomputations of u from lambda, which limit the drift of its updates.
constexpr int kRefresh = 64;

/// Diagonal surrogates of one contact's block of D [m/(N s)].
struct LocalStep {
  double normal = 0, tangent = 0, all = 0;
};

std::vector<LocalStep> local_steps(const Eigen::MatrixXd& D) {
  std::vector<LocalStep> steps;
  for (Eigen::Index k = 0; k < D.rows(); k += 3) {
    const Eigen::Matrix3d block = D.block<3, 3>(k, k);
    const Eigen::Vector3d eigenvalues = symmetric_eigenvalues(block);
    steps.push_back(
        {block(0, 0), (block(1, 1) + block(2, 2)) / 2, (eigenvalues[0] + eigenvalues[2]) / 2});
  }
  return steps;
}

Vec3d solve_strict(const Eigen::Matrix3d& block, const LocalStep& step, Vec3d lambda, Vec3d u,
                   double mu1, double mu2) {
  const double change = std::max(lambda.x - u.x / step.normal, 0.0) - lambda.x;
  const Vec3d trial{lambda.x + change, lambda.y - (u.y + block(1, 0) * change) / step.tangent,
                    lambda.z - (u.z + block(2, 0) * change) / step.tangent};
  return project(Projection::strict, trial, mu1, mu2);
}

}  // namespace

void PgsSolver::iterate(const DelassusOperator& op, const ContactProblem& problem,
                        Eigen::VectorXd lambda, ForceMonitor* monitor) const {
  const Eigen::MatrixXd& D = op.matrix();
  const std::vector<LocalStep> steps = local_steps(D);
  Eigen::VectorXd u = D * lambda + op.bias();
  do {
    for (int m = 0; m < problem.n_contact(); ++m) {
      const Contact<double>& c = problem.contacts[m];
      const int k = 3 * m;
      const Vec3d old{lambda[k], lambda[k + 1], lambda[k + 2]}, slip{u[k], u[k + 1], u[k + 2]};
      const Vec3d now =
          options().projection == Projection::strict
              ? solve_strict(D.block<3, 3>(k, k), steps[m], old, slip, c.mu1, c.mu2)
              : project(options().projection, old - (1 / steps[m].all) * slip, c.mu1, c.mu2);
      const Eigen::Vector3d change(now.x - old.x, now.y - old.y, now.z - old.z);
      if ((change.array() == 0).all()) continue;
      for (int axis = 0; axis < 3; ++axis) lambda[k + axis] = now[axis];
      u.noalias() += D.middleCols<3>(k) * change;
    }
    if ((monitor->iterations() + 1) % kRefresh == 0) u = D * lambda + op.bias();
  } while (!monitor->stop(lambda, u));
}

std::unique_ptr<ContactSolver> make_pgs_solver(const SolverOptions& options) {
  return std::make_unique<PgsSolver>(options);
}

}  // namespace nodia
