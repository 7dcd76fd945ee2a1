/// Random global friction-contact problems as other programs write them: rigid bodies, chains of
/// bodies, elastic blocks; masses over decades, any units, redundant contacts.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "host/exchange/friction_problem.hpp"
#include "tests/support/dense_algebra.hpp"

namespace nodia {

struct RandomFrictionOptions {
  enum class Kind { bodies, chains, elastic };
  Kind kind = Kind::bodies;
  unsigned seed = 1;
  int n_body = 10;  ///< rigid bodies, or links in chains of ten, or nodes of one elastic block
  int n_contact = 20;
  double mass_decades = 1;  ///< masses from 1 to 10^this
  double length_unit = 1;   ///< velocities are multiplied by it
  double force_unit = 1;    ///< impulses are multiplied by it
  double stiffness = 100;   ///< of joints and elements, relative to the lightest mass
  int copies = 1;           ///< of every contact
  double mu_max = 1;        ///< friction from 0 to this
  int dimension = 3;
};

/// Contacts are points of one body against the ground or another one. Every normal can open: there
/// is a velocity that separates all contacts, so that loads do not jam.
inline FrictionProblem random_friction(const RandomFrictionOptions& o) {
  using Kind = RandomFrictionOptions::Kind;
  std::mt19937_64 engine(o.seed);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(engine() >> 11) * 0x1p-53;
  };
  const int d = o.dimension;
  const int n_own = o.kind == Kind::elastic ? d : d == 3 ? 6 : 3;  // unknowns of a body
  const int n = n_own * o.n_body;
  std::vector<Eigen::Triplet<double>> M, H;
  const auto random_matrix = [&](int rows, int columns) {
    Eigen::MatrixXd m(rows, columns);
    for (double& x : m.reshaped()) x = uniform(-1, 1);
    return m;
  };
  std::vector<double> mass;
  for (int k = 0; k < o.n_body; ++k) {
    mass.push_back(std::pow(10, uniform(0, o.mass_decades)));
    for (int i = 0; i < n_own; ++i)
      M.emplace_back(n_own * k + i, n_own * k + i, mass.back() * (i < d ? 1 : uniform(0.01, 0.1)));
  }
  // K = G^T G on neighbours: stretching and, of frames, bending.
  const auto couple = [&](int a, int b) {
    Eigen::MatrixXd G(n_own, 2 * n_own);
    G.leftCols(n_own).setIdentity();
    G.rightCols(n_own) =
        -Eigen::MatrixXd::Identity(n_own, n_own) + 0.1 * random_matrix(n_own, n_own);
    const Eigen::MatrixXd K = o.stiffness * G.transpose() * G;
    for (int i = 0; i < 2 * n_own; ++i)
      for (int j = 0; j < 2 * n_own; ++j)
        M.emplace_back(n_own * (i < n_own ? a : b) + i % n_own,
                       n_own * (j < n_own ? a : b) + j % n_own, 0.5 * (K(i, j) + K(j, i)));
  };
  if (o.kind == Kind::chains)
    for (int k = 0; k + 1 < o.n_body; ++k)
      if (k % 10 != 9) couple(k, k + 1);
  if (o.kind == Kind::elastic) {
    const int side = std::max(1, static_cast<int>(std::cbrt(o.n_body) + 0.5));
    for (int k = 0; k < o.n_body; ++k)
      for (const int step : {1, side, side * side})
        if (k + step < o.n_body && (step != 1 || k % side != side - 1)) couple(k, k + step);
  }
  const Eigen::VectorXd separating = random_matrix(n, 1);
  const int n_contact = o.n_contact * o.copies;
  FrictionProblem p;
  p.dimension = d;
  p.kind = FrictionKind::global;
  p.title = "random";
  p.b = Eigen::VectorXd::Zero(d * n_contact);
  for (int m = 0; m < o.n_contact; ++m) {
    const int a = static_cast<int>(uniform(0, o.n_body)),
              b = static_cast<int>(uniform(0, o.n_body));
    const bool pair = a != b && uniform(0, 1) < 0.6;
    Eigen::MatrixXd frame =
        Eigen::MatrixXd(Eigen::HouseholderQR<Eigen::MatrixXd>(random_matrix(d, d)).householderQ());
    const double mu = uniform(0, o.mu_max);
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(d, n);
    const auto add = [&](int body, double sign) {
      J.block(0, n_own * body, d, d) += sign * frame;
      if (n_own > d) {  // the lever arm
        const Eigen::MatrixXd arm = random_matrix(d, 1);
        Eigen::MatrixXd cross(d, n_own - d);
        if (d == 3)
          cross << 0, arm(2), -arm(1), -arm(2), 0, arm(0), arm(1), -arm(0), 0;
        else
          cross << -arm(1), arm(0);
        J.block(0, n_own * body + d, d, n_own - d) += sign * frame * cross;
      }
    };
    add(a, 1);
    if (pair) add(b, -1);
    if ((J.row(0) * separating).value() < 0) J = -J;
    const double gap = uniform(0, 1) < 0.3 ? uniform(0, 0.5) : 0;
    for (int c = 0; c < o.copies; ++c) {
      const int column = d * (m * o.copies + c);
      p.mu.push_back(mu);
      p.b[column] = gap * o.length_unit;
      for (int axis = 0; axis < d; ++axis)
        for (int i = 0; i < n; ++i)
          if (J(axis, i) != 0) H.emplace_back(i, column + axis, J(axis, i));
    }
  }
  p.M.resize(n, n);
  p.M.setFromTriplets(M.begin(), M.end());
  p.H.resize(n, d * n_contact);
  p.H.setFromTriplets(H.begin(), H.end());
  // Towards the contacts, and aside.
  const Eigen::VectorXd v = -separating + random_matrix(n, 1);
  p.q = o.force_unit * (p.M * v);
  p.M *= o.force_unit / o.length_unit;
  return p;
}

/// The local problem of a global one: H^T M^-1 H and H^T M^-1 q + b.
inline FrictionProblem local_of(const FrictionProblem& p) {
  const Eigen::MatrixXd H(p.H), M(p.M);
  const test::DenseFactor factor(M);
  FrictionProblem local;
  local.kind = FrictionKind::local;
  local.dimension = p.dimension;
  Eigen::MatrixXd W = H.transpose() * factor.solve(H);
  W = (0.5 * (W + W.transpose())).eval();
  local.M = W.sparseView();
  local.q = H.transpose() * factor.solve(p.q) + p.b;
  local.mu = p.mu;
  return local;
}

}  // namespace nodia
