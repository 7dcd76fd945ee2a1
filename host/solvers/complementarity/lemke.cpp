#include "host/solvers/complementarity/lemke.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nodia {
namespace {

/// B^-1 is recomputed after at least this many pivots, and after as many as cost about the same.
constexpr int kRefresh = 60;
int pivots_until_refresh(int n) {
  return std::max(kRefresh, n / 2);
}
/// Smallest entry of the entering column, in the scaled problem, that can be a pivot.
constexpr double kPivot = 1e-10;
/// Ratios closer than this are compared by the rows of B^-1.
constexpr double kTie = 1e-12;

/// Almost complementary path in the columns of [I, -M, -e]: w_1..w_n, z_1..z_n, z_0.
class Path {
 public:
  explicit Path(const Lcp& lcp)
      : lcp_(lcp),
        n_(lcp.size()),
        basis_(static_cast<std::size_t>(n_)),
        touched_(static_cast<std::size_t>(n_), false),
        inverse_(Eigen::MatrixXd::Identity(n_, n_)),
        x_(lcp.q) {
    for (int i = 0; i < n_; ++i) basis_[i] = i;
  }

  int z0() const { return 2 * n_; }
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  Eigen::VectorXd column(int variable) const {
    if (variable == z0()) return Eigen::VectorXd::Constant(n_, -1);
    if (variable >= n_) return -lcp_.M.col(variable - n_);
    return Eigen::VectorXd::Unit(n_, variable);
  }
  Eigen::VectorXd direction(int variable) const {
    if (variable < n_) return inverse_.col(variable);
    const Eigen::VectorXd a = column(variable);
    Eigen::VectorXd result = a;
    for (int k = 0; k < n_; ++k) {
      if (!touched_[k]) continue;
      result[k] -= a[k];
      result += a[k] * inverse_.col(k);
    }
    return result;
  }

  /// Row of the most negative q, the last of equals: makes [x, B^-1] lexicographically positive.
  int first_row() const {
    int row = 0;
    for (int i = 1; i < n_; ++i)
      if (x_[i] <= x_[row]) row = i;
    return row;
  }

  /// Row that leaves the basis as `direction` enters; -1 for a ray. z_0 has priority among equals.
  int leaving_row(const Eigen::VectorXd& direction) const {
    const double least = kPivot * std::max(1.0, direction.cwiseAbs().maxCoeff());
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < n_; ++i)
      if (direction[i] > least) best = std::min(best, std::max(x_[i], 0.0) / direction[i]);
    int row = -1;
    const double near = best + kTie * (1 + std::abs(best));
    for (int i = 0; i < n_; ++i) {
      if (!(direction[i] > least) || std::max(x_[i], 0.0) / direction[i] > near) continue;
      if (basis_[i] == z0()) return i;
      if (row < 0 || lexicographically_less(i, row, direction)) row = i;
    }
    return row;
  }

  void pivot(int row, int entering, const Eigen::VectorXd& direction) {
    const double p = direction[row];
    Eigen::VectorXd factor = direction;
    factor[row] = 0;
    const Eigen::RowVectorXd pivot_row = inverse_.row(row) / p;
    const double step = x_[row] / p;
    // Columns of rows that were never pivots are still columns of the identity.
    for (int k = 0; k < n_; ++k)
      if (pivot_row[k] != 0) inverse_.col(k) -= pivot_row[k] * factor;
    inverse_.row(row) = pivot_row;
    x_ -= step * factor;
    x_[row] = step;
    basis_[row] = entering;
    touched_[row] = true;
  }

  /// Recomputes B^-1 and x from the basis.
  void refresh() {
    Eigen::MatrixXd B(n_, n_);
    for (int i = 0; i < n_; ++i) B.col(i) = column(basis_[i]);
    const Eigen::PartialPivLU<Eigen::MatrixXd> factor(B);
    const Eigen::MatrixXd inverse = factor.inverse();
    if (!inverse.allFinite()) return;
    inverse_ = inverse;
    x_ = factor.solve(lcp_.q);
    x_ += factor.solve(lcp_.q - B * x_);
  }

  int basic(int row) const { return basis_[row]; }
  bool is_finite() const { return x_.allFinite(); }
  Eigen::VectorXd z() const {
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n_);
    for (int i = 0; i < n_; ++i)
      if (basis_[i] >= n_ && basis_[i] < z0()) z[basis_[i] - n_] = std::max(x_[i], 0.0);
    return z;
  }

 private:
  bool lexicographically_less(int a, int b, const Eigen::VectorXd& direction) const {
    for (int k = 0; k < n_; ++k) {
      const double difference = inverse_(a, k) / direction[a] - inverse_(b, k) / direction[b];
      if (std::abs(difference) > kTie) return difference < 0;
    }
    return false;
  }

  const Lcp& lcp_;
  int n_;
  std::vector<int> basis_;     ///< variable of each row
  std::vector<bool> touched_;  ///< rows that were pivots; other columns of B^-1 are unit vectors
  Eigen::MatrixXd inverse_;    ///< B^-1
  Eigen::VectorXd x_;          ///< values of the basic variables
};

}  // namespace

LcpSolution lemke(const Lcp& lcp, const LemkeOptions& options) {
  lcp.validate();
  const int n = lcp.size();
  LcpSolution solution;
  solution.z = Eigen::VectorXd::Zero(n);
  const auto end = [&](SolveStatus status, const char* reason) {
    solution.status = status;
    solution.reason = reason;
    return solution;
  };
  if (!lcp.is_finite()) return end(SolveStatus::not_a_number, "the problem is not finite");
  if (n == 0 || lcp.q.minCoeff() >= 0) return end(SolveStatus::converged, "");

  const ScaledLcp scaled = equilibrate(lcp);
  Path path(scaled.lcp);
  int entering = path.z0(), row = path.first_row();
  Eigen::VectorXd direction = path.column(entering);
  const int limit = options.max_pivots > 0 ? options.max_pivots : 50 * (n + 20);
  const auto take = [&] { solution.z = scaled.column.cwiseProduct(path.z()); };
  while (solution.iterations < limit) {
    const int leaving = path.basic(row);
    path.pivot(row, entering, direction);
    ++solution.iterations;
    if (solution.iterations % pivots_until_refresh(n) == 0) path.refresh();
    if (leaving == path.z0()) {
      path.refresh();
      take();
      return lcp_error(lcp, solution.z) <= options.tolerance
                 ? end(SolveStatus::converged, "")
                 : end(SolveStatus::stalled, "pivoting lost its accuracy to rounding");
    }
    if (!path.is_finite()) {
      take();
      return end(SolveStatus::stalled, "pivoting lost its accuracy to rounding");
    }
    entering = path.complement(leaving);
    direction = path.direction(entering);
    row = path.leaving_row(direction);
    if (row < 0) {
      take();
      return end(SolveStatus::infeasible,
                 "pivoting ended in a ray: no solution, or none on its path");
    }
  }
  take();
  return end(SolveStatus::iteration_limit, "");
}

}  // namespace nodia
