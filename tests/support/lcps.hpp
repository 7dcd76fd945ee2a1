/// Complementarity problems of the papers, and random ones.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "host/solvers/complementarity/lcp.hpp"
#include "host/solvers/complementarity/mlcp.hpp"

namespace nodia::test {

/// Lu & Trinkle's particle: m = 1, v = (1, 0, -1), gap 0.15, h = 0.1, mu = 0.5, at gravity g, with
/// the round cone. Entries (n, t, o); impulses [N s].
inline Mlcp particle_cone(double g) {
  return {Eigen::Matrix3d::Identity(),
          Eigen::Vector3d(-1 + 0.1 * g + 1.5, 1, 0),
          {ForceSet::contact(0, 0.5, 0.5)}};
}

/// The same with four friction directions, their (33).
inline Lcp particle_lcp(double g) {
  Lcp lcp;
  lcp.M.resize(6, 6);
  lcp.M << 1, 0, 0, 0, 0, 0,  //
      0, 1, 0, -1, 0, 1,      //
      0, 0, 1, 0, -1, 1,      //
      0, -1, 0, 1, 0, 1,      //
      0, 0, -1, 0, 1, 1,      //
      0.5, -1, -1, -1, -1, 0;
  lcp.q.resize(6);
  lcp.q << 0.5 + 0.1 * g, 1, 0, -1, 0, 0;
  return lcp;
}

/// Painleve's sliding rod (Schindler et al., (45)): G m and b = -g for a uniform rod at 60 degrees.
inline Lcp painleve_lcp(double mu, double b) {
  const double c = 0.5, s = std::sqrt(3.0) / 2;
  Lcp lcp;
  lcp.M.resize(1, 1);
  lcp.M << 1 + 3 * c * (c - mu * s);
  lcp.q.resize(1);
  lcp.q << b;
  return lcp;
}

enum class LcpKind { p_matrix, semidefinite, skew_dominated };

/// A problem with a solution, in units that spread over `decades` decades.
inline Lcp random_lcp(LcpKind kind, int n, unsigned seed, double decades = 0) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  const auto matrix = [&](int rows, int cols) {
    Eigen::MatrixXd A(rows, cols);
    for (int j = 0; j < cols; ++j)
      for (int i = 0; i < rows; ++i) A(i, j) = normal(engine);
    return A;
  };
  Lcp lcp;
  const Eigen::MatrixXd B = matrix(n, kind == LcpKind::semidefinite ? n / 2 + 1 : n);
  lcp.M = B * B.transpose() / n;
  if (kind != LcpKind::semidefinite) {
    const Eigen::MatrixXd S = matrix(n, n);
    lcp.M += (kind == LcpKind::p_matrix ? 0.3 : 3.0) * (S - S.transpose()).eval();
  }
  const Eigen::VectorXd feasible = matrix(n, 1).cwiseAbs(), slack = matrix(n, 1).cwiseAbs();
  lcp.q = 0.1 * slack - lcp.M * feasible;
  std::uniform_real_distribution<double> exponent(-decades / 2, decades / 2);
  Eigen::VectorXd s(n);
  for (double& value : s) value = std::pow(10, exponent(engine));
  lcp.M = s.asDiagonal() * lcp.M * s.asDiagonal();
  lcp.q = s.cwiseProduct(lcp.q);
  return lcp;
}

}  // namespace nodia::test
