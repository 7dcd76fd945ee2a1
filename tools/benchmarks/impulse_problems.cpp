#include "tools/benchmarks/impulse_problems.hpp"

#include <cmath>
#include <cstdint>

namespace nodia::studies {
namespace {

constexpr double kGap = 0.15, kStep = 0.1, kMu = 0.5;

/// Uniform in (-1, 1), the same on every machine.
class Random {
 public:
  explicit Random(unsigned seed) : state_(seed * 0x9E3779B97F4A7C15ull + 1) {}
  double operator()() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<double>(state_ >> 11) * 0x1p-52 - 1;
  }
  Eigen::MatrixXd matrix(int rows, int cols) {
    Eigen::MatrixXd A(rows, cols);
    for (int j = 0; j < cols; ++j)
      for (int i = 0; i < rows; ++i) A(i, j) = (*this)();
    return A;
  }

 private:
  std::uint64_t state_;
};

}  // namespace

Mlcp particle_cone(double g) {
  return {Eigen::Matrix3d::Identity(),
          Eigen::VectorXd{{-1 + kStep * g + kGap / kStep, 1, 0}},
          {ForceSet::contact(0, kMu, kMu)}};
}

Lcp particle_lcp(double g) {
  Lcp lcp{Eigen::MatrixXd::Zero(6, 6), Eigen::VectorXd::Zero(6)};
  lcp.M(0, 0) = 1;
  lcp.M(5, 0) = kMu;
  for (int k = 0; k < 4; ++k) {
    lcp.M(1 + k, 1 + k) = 1;
    lcp.M(1 + k, 1 + (k + 2) % 4) = -1;
    lcp.M(1 + k, 5) = 1;
    lcp.M(5, 1 + k) = -1;
  }
  lcp.q[0] = -1 + kStep * g + kGap / kStep;
  lcp.q[1] = 1;
  lcp.q[3] = -1;
  return lcp;
}

double painleve_G(double mu) {
  const double cosine = 0.5, sine = std::sqrt(3.0) / 2;
  return 1 + 3 * cosine * (cosine - mu * sine);
}

Lcp painleve_rod(double mu, double g) {
  return {Eigen::MatrixXd::Constant(1, 1, painleve_G(mu)), Eigen::VectorXd::Constant(1, -g)};
}

Lcp random_contacts(int n, unsigned seed) {
  Random random(seed);
  const Eigen::MatrixXd J = random.matrix(n, n + 4);
  return {J * J.transpose(), random.matrix(n, 1)};
}

Lcp random_p_matrix(int n, unsigned seed) {
  Random random(seed);
  const Eigen::MatrixXd B = random.matrix(n, n), S = random.matrix(n, n);
  const Eigen::MatrixXd skew = S - S.transpose();
  return {B * B.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n) + skew,
          3 * random.matrix(n, 1)};
}

Lcp murty(int n) {
  Lcp lcp{Eigen::MatrixXd::Identity(n, n), Eigen::VectorXd::Constant(n, -1)};
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) lcp.M(i, j) = 2;
  return lcp;
}

}  // namespace nodia::studies
