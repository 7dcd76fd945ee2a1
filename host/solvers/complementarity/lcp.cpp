#include "host/solvers/complementarity/lcp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

constexpr int kSweeps = 8;
constexpr int kMostEnumerated = 16;
/// A complementary basis is a solution if its error is below this.
constexpr double kSolved = 1e-10;

double inverse_root(double x) {
  return x > 0 && std::isfinite(x) ? 1 / std::sqrt(x) : 1;
}

}  // namespace

void Lcp::validate() const {
  require(M.rows() == M.cols(), "lcp.M, columns", static_cast<double>(M.cols()),
          "as many as its rows", "");
  require(M.rows() == q.size(), "lcp.q, size", static_cast<double>(q.size()), "that of M's rows",
          "");
}

double lcp_error(const Lcp& lcp, const Eigen::VectorXd& z) {
  const int n = lcp.size();
  const Eigen::VectorXd w = lcp.M * z + lcp.q;
  const Eigen::VectorXd size = lcp.M.cwiseAbs() * z.cwiseAbs() + lcp.q.cwiseAbs();
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    double share = 0;
    for (int j = 0; j < n; ++j)
      if (size[j] > 0) share = std::max(share, std::abs(lcp.M(j, i)) / size[j]);
    const double pair = std::abs(std::min(z[i] * share, size[i] > 0 ? w[i] / size[i] : w[i]));
    if (!(pair <= worst)) worst = pair;
    if (std::isnan(worst) || std::isnan(w[i])) return std::numeric_limits<double>::quiet_NaN();
  }
  return worst;
}

ScaledLcp equilibrate(const Lcp& lcp) {
  const int n = lcp.size();
  ScaledLcp s{lcp, Eigen::VectorXd::Ones(n), Eigen::VectorXd::Ones(n)};
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    const Eigen::VectorXd r = s.lcp.M.cwiseAbs().rowwise().maxCoeff().unaryExpr(&inverse_root);
    const Eigen::VectorXd c =
        s.lcp.M.cwiseAbs().colwise().maxCoeff().transpose().unaryExpr(&inverse_root);
    s.lcp.M = r.asDiagonal() * s.lcp.M * c.asDiagonal();
    s.row.array() *= r.array();
    s.column.array() *= c.array();
  }
  s.lcp.q = s.row.cwiseProduct(lcp.q);
  const double size = n > 0 ? s.lcp.q.cwiseAbs().maxCoeff() : 0;
  if (size > 0 && std::isfinite(size)) {
    // z' = z/(column size), w' = row w/size
    s.lcp.q /= size;
    s.column *= size;
    s.row /= size;
    s.lcp.M = s.row.asDiagonal() * lcp.M * s.column.asDiagonal();
  }
  return s;
}

std::vector<Eigen::VectorXd> all_solutions(const Lcp& lcp) {
  lcp.validate();
  const int n = lcp.size();
  require(n <= kMostEnumerated, "lcp, size", n, "at most 16 to be enumerated", "");
  std::vector<Eigen::VectorXd> solutions;
  for (unsigned active = 0; active < (1u << n); ++active) {
    std::vector<int> in;
    for (int i = 0; i < n; ++i)
      if (active >> i & 1) in.push_back(i);
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    if (!in.empty()) {
      const Eigen::FullPivLU<Eigen::MatrixXd> factor(lcp.M(in, in));
      if (!factor.isInvertible()) continue;
      z(in) = -factor.solve(lcp.q(in));
    }
    if (!(lcp_error(lcp, z) < kSolved)) continue;
    const bool known = std::any_of(solutions.begin(), solutions.end(), [&](const auto& other) {
      return (other - z).norm() <= kSolved * (1 + z.norm());
    });
    if (!known) solutions.push_back(z);
  }
  return solutions;
}

const char* count_in_words(std::size_t n_solution) {
  constexpr const char* kWords[] = {"none", "unique", "two"};
  return n_solution < 3 ? kWords[n_solution] : "many";
}

}  // namespace nodia
