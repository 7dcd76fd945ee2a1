/// Reference answers of small contact problems: dense, slow, plain, exact to about 1e-12.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "host/problem/contact_problem.hpp"
#include "kernels/contact/projections.hpp"
#include "tests/support/dense_algebra.hpp"

namespace nodia {

struct DenseReference {
  std::vector<Vec3d> v;       ///< [m/s]
  std::vector<Vec3d> lambda;  ///< [N]; need not be unique, v is for the convex relaxation
  double natural_map = 0;     ///< worst contact, relative
};

namespace dense_reference_detail {

inline Eigen::MatrixXd dense_matrix(const ContactProblem& p) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3 * p.n_node(), 3 * p.n_node());
  for (int i = 0; i < p.n_node(); ++i)
    for (int k = p.A.pattern->row_begin[i]; k < p.A.pattern->row_begin[i + 1]; ++k)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          A(3 * i + r, 3 * p.A.pattern->column[k] + c) = p.A.block(k)(r, c);
  return A;
}

inline Eigen::MatrixXd dense_jacobian(const ContactProblem& p) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3 * p.n_contact(), 3 * p.n_node());
  for (int m = 0; m < p.n_contact(); ++m) {
    const Contact<double>& c = p.contacts[m];
    const auto add = [&](std::int32_t side, double sign) {
      p.for_parts(side, [&](std::int32_t row, const Mat3d& part) {
        for (int r = 0; r < 3; ++r)
          for (int k = 0; k < 3; ++k) J(3 * m + r, 3 * row + k) += sign * (c.R * part)(r, k);
      });
    };
    add(c.side_i, 1);
    if (c.side_j != kWorld) add(c.side_j, -1);
  }
  return J;
}

inline Vec3d segment(const Eigen::VectorXd& x, int m) {
  return {x[3 * m], x[3 * m + 1], x[3 * m + 2]};
}

/// De Saxce's velocity (Coulomb) or u itself (relaxation).
inline Vec3d law_velocity(Vec3d u, const Contact<double>& c, Projection law) {
  if (law == Projection::strict) u.x += std::hypot(c.mu1 * u.y, c.mu2 * u.z);
  return u;
}

}  // namespace dense_reference_detail

/// Block Gauss-Seidel on the dense Delassus operator; each contact is solved to rounding by the
/// fixed point of its natural map, lambda <- P_K(lambda - u~/rho), which no solver under test uses.
/// Ends where the relative natural map is below 1e-13.
/// @param omega  of invertible contact: the law holds for u + omega lambda
/// @throws std::runtime_error where it does not get below 1e-11
inline DenseReference dense_reference(const ContactProblem& p, Projection law = Projection::strict,
                                      double omega = 0) {
  using namespace dense_reference_detail;
  const test::DenseFactor A(dense_matrix(p));
  const Eigen::MatrixXd J = dense_jacobian(p);
  Eigen::MatrixXd D = J * A.solve(J.transpose());
  D.diagonal().array() += omega;
  Eigen::VectorXd b(3 * p.n_node()), phi(3 * p.n_contact());
  for (int i = 0; i < p.n_node(); ++i) b.segment<3>(3 * i) << p.b[i].x, p.b[i].y, p.b[i].z;
  for (int m = 0; m < p.n_contact(); ++m)
    phi.segment<3>(3 * m) << p.contacts[m].phi.x, p.contacts[m].phi.y, p.contacts[m].phi.z;
  const Eigen::VectorXd d = J * A.solve(b) + phi;

  DenseReference reference;
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(3 * p.n_contact());
  std::vector<double> rho;
  for (int m = 0; m < p.n_contact(); ++m)
    rho.push_back(test::eigenvalues(D.block<3, 3>(3 * m, 3 * m)).maxCoeff());
  const auto natural_map = [&](int m, const Vec3d force, const Vec3d u) {
    const Contact<double>& c = p.contacts[m];
    const Vec3d trial = force - (1 / rho[m]) * law_velocity(u, c, law);
    return project_proximal(trial, c.mu1, c.mu2);
  };
  for (int sweep = 0; sweep < 20000; ++sweep) {
    for (int m = 0; m < p.n_contact(); ++m) {
      const Eigen::Matrix3d block = D.block<3, 3>(3 * m, 3 * m);
      const Eigen::Vector3d rest =
          D.middleRows<3>(3 * m) * lambda + d.segment<3>(3 * m) - block * lambda.segment<3>(3 * m);
      for (int inner = 0; inner < 30; ++inner) {
        const Eigen::Vector3d u = block * lambda.segment<3>(3 * m) + rest;
        const Vec3d next = natural_map(m, segment(lambda, m), {u[0], u[1], u[2]});
        lambda.segment<3>(3 * m) << next.x, next.y, next.z;
      }
    }
    const Eigen::VectorXd u = D * lambda + d;
    double worst = 0, scale = 1e-300;
    for (int m = 0; m < p.n_contact(); ++m) {
      const Vec3d force = segment(lambda, m), slip = segment(u, m);
      worst = std::max(worst, rho[m] * norm(force - natural_map(m, force, slip)));
      scale = std::max({scale, rho[m] * norm(force), norm(slip)});
    }
    reference.natural_map = worst / scale;
    if (reference.natural_map < 1e-13) break;
  }
  if (!(reference.natural_map < 1e-11)) throw std::runtime_error("dense reference: no convergence");

  const Eigen::VectorXd v = A.solve(b + J.transpose() * lambda);
  for (int i = 0; i < p.n_node(); ++i) reference.v.push_back(segment(v, i));
  for (int m = 0; m < p.n_contact(); ++m) reference.lambda.push_back(segment(lambda, m));
  return reference;
}

/// |a - b|_A/|b|_A
inline double relative_energy_distance(const ContactProblem& p, const std::vector<Vec3d>& a,
                                       const std::vector<Vec3d>& b) {
  const Eigen::MatrixXd A = dense_reference_detail::dense_matrix(p);
  Eigen::VectorXd x(A.rows()), y(A.rows());
  for (int i = 0; i < p.n_node(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      x[3 * i + axis] = a[i][axis] - b[i][axis];
      y[3 * i + axis] = b[i][axis];
    }
  }
  return std::sqrt(x.dot(A * x) / y.dot(A * y));
}

}  // namespace nodia
