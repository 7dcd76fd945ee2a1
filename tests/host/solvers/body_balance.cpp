// The rule of every body, recomputed from A, b, velocities and forces alone.
#include "host/solvers/newton/body_balance.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "fem/matrix/eigen_block.hpp"
#include "host/problem/contact_jacobian.hpp"
#include "host/solvers/automatic/automatic.hpp"
#include "kernels/contact/contact_update.hpp"
#include "tests/support/body_pile.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/solve_once.hpp"

namespace nodia {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

VectorXd stack(const std::vector<Vec3d>& rows) {
  VectorXd x(3 * static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    x.segment<3>(3 * static_cast<Eigen::Index>(i)) << rows[i].x, rows[i].y, rows[i].z;
  return x;
}

/// Largest error of a body by dense algebra, for problems without robots that start at rest.
double largest_error(const ContactProblem& p, const std::vector<Vec3d>& v,
                     const std::vector<Vec3d>& lambda) {
  const MatrixXd A = p.A.to_eigen(), J = contact_jacobian(p);
  const VectorXd b = stack(p.b), force = J.transpose() * stack(lambda);
  const VectorXd residual = A * stack(v) - b - force, u = J * stack(v) + contact_offset(p);
  const Topology& topology = *p.topology[0];
  double worst = 0;
  std::vector<double> inertia, fall;
  for (const Body& body : topology.bodies) {
    Vector3d off = Vector3d::Zero(), net = off, free = off;
    double a = 0, pressing = 0;
    for (int i = body.first_row; i < body.first_row + body.n_row; ++i) {
      if (topology.kind[i] == RowKind::angular) continue;
      off += residual.segment<3>(3 * i);
      net += force.segment<3>(3 * i);
      free += b.segment<3>(3 * i);
      pressing += force.segment<3>(3 * i).norm();
      a += A.block<3, 3>(3 * i, 3 * i).trace() / 3;
    }
    inertia.push_back(a);
    fall.push_back(free.norm() / a);
    if (off.norm() > std::max(1e-12 * a, 1e-11 * pressing))
      worst = std::max(worst, off.norm() / std::max(net.norm(), free.norm()));
  }
  for (int m = 0; m < p.n_contact(); ++m) {
    MatrixXd D = MatrixXd::Zero(3, 3);
    double bound = 0;
    bool rigid = true;
    for (std::size_t k = 0; k < topology.bodies.size(); ++k) {
      const Body& body = topology.bodies[k];
      const MatrixXd Jb = J.block(3 * m, 3 * body.first_row, 3, 3 * body.n_row);
      if (Jb.isZero(0)) continue;
      rigid = rigid && body.kind == BodyKind::rigid;
      D += Jb * A.block(3 * body.first_row, 3 * body.first_row, 3 * body.n_row, 3 * body.n_row)
                    .llt()
                    .solve(MatrixXd(Jb.transpose()));
      bound = std::max({bound, 100 * stack(v).segment<3>(3 * body.first_row).norm(), 10 * fall[k]});
    }
    if (!rigid) continue;
    const double gamma = Eigen::SelfAdjointEigenSolver<MatrixXd>(D).eigenvalues().maxCoeff();
    const Vec3d slip{u[3 * m], u[3 * m + 1], u[3 * m + 2]};
    const Vec3d natural =
        contact_update(law_of(Projection::strict, p.contacts[m]), lambda[m], slip, gamma, 0.0);
    const double off = gamma * norm(natural - lambda[m]);
    if (off > 1e-12) worst = std::max(worst, off / bound);
  }
  return worst;
}

SolverOptions newton(double tolerance) {
  SolverOptions options;
  options.solver = "newton";
  options.tolerance = tolerance;
  return options;
}

TEST(BodyBalance, NoConvergedSolutionBreaksIt) {
  int n_converged = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const double tolerance = seed % 2 == 0 ? 1e-3 : 1e-6;
    ContactProblem p;
    switch (seed % 4) {
      case 0:
        p = random_problem({.seed = seed, .n_world_contact = 5, .n_pair_contact = 4});
        break;
      case 1:
        p = random_problem({.seed = seed, .n_body = 2, .n_body_contact = 2});
        break;
      case 2:
        p = random_problem({.seed = seed, .n_link = 5});
        break;
      default:
        p = test::body_pile({.seed = seed, .n_body = 4, .decades = seed % 3 * 3.0});
    }
    const Solution solution = test::solve_once(p, newton(tolerance));
    if (solution.env[0].status != SolveStatus::converged) continue;
    ++n_converged;
    EXPECT_LE(largest_error(p, solution.v, solution.lambda), tolerance * (1 + 1e-6)) << seed;
    EXPECT_EQ(solution.env[0].worst_body, -1);
  }
  EXPECT_GT(n_converged, 180);
}

TEST(BodyBalance, EqualsTheDenseOneForAnySolution) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const ContactProblem p = test::body_pile({.seed = seed, .decades = 4});
    Solution solution = test::solve_once(p, newton(1e-3));
    for (Vec3d& v : solution.v) v += Vec3d{1e-3, -2e-3, 1e-4 * seed};
    for (Vec3d& force : solution.lambda) force.x *= 1.1;
    const double exact = largest_error(p, solution.v, solution.lambda);
    const BodyError found = body_error(p, newton(1e-3), {}, solution.v, solution.lambda);
    EXPECT_GE(found.share, exact * (1 - 1e-9)) << "torques may be worse";
    EXPECT_GE(found.body, 0);
  }
}

TEST(BodyBalance, LightBodiesAreAsExactAsHeavyOnes) {
  for (const double decades : {0.0, 3.0, 6.0})
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const ContactProblem p = test::body_pile({.seed = seed, .n_body = 3, .decades = decades});
      const Solution solution = test::solve_once(p, newton(1e-3));
      ASSERT_EQ(solution.env[0].status, SolveStatus::converged) << decades << " " << seed;
      double above = 0;  // weight of the body and of all bodies above it
      for (int k = 2; k >= 0; --k) {
        above -= p.b[2 * k].z;
        double carried = 0;
        for (int corner = 0; corner < 3; ++corner) carried += solution.lambda[3 * k + corner].x;
        EXPECT_NEAR(carried / above, 1, 1e-3) << decades << " " << seed << " " << k;
      }
    }
}

TEST(BodyBalance, NoSolutionOfCondThatBreaksItIsConverged) {
  int n_refused = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const ContactProblem p = test::body_pile({.seed = seed, .n_body = 3, .decades = 6});
    SolverOptions few = newton(1e-3);
    few.max_iterations = 1;
    Solution solution = test::solve_once(p, few);
    if (solution.env[0].status == SolveStatus::converged) continue;
    SolverOptions automatic;
    automatic.tolerance = 1e-3;
    fall_back(p, automatic, {}, 0, &solution);
    if (solution.env[0].status == SolveStatus::converged) {
      EXPECT_LE(largest_error(p, solution.v, solution.lambda), 1e-3 * (1 + 1e-6)) << seed;
    } else {
      ++n_refused;
    }
  }
  EXPECT_GT(n_refused, 0);
}

}  // namespace
}  // namespace nodia
