#include "host/solvers/proximal_newton/newton_direction.hpp"

#include <omp.h>

#include <Eigen/SparseLU>
#include <cmath>

namespace nodia {
namespace {

/// A matrix with fewer rows, or a larger share of entries, is factorised dense.
constexpr int kSparseRows = 100;
constexpr double kSparseShare = 0.15;
/// Value of kappa below which the force across the section's normal counts as known.
constexpr double kNoSlope = 1e-12;

/// Limits Eigen's dense products to one thread, because their rounding depends on the thread
/// number. In a parallel region Eigen uses one thread anyway.
class OneDenseThread {
 public:
  OneDenseThread() : before_(omp_in_parallel() != 0 ? 0 : Eigen::nbThreads()) {
    if (before_ > 1) Eigen::setNbThreads(1);
  }
  OneDenseThread(const OneDenseThread&) = delete;
  OneDenseThread& operator=(const OneDenseThread&) = delete;
  ~OneDenseThread() {
    if (before_ > 1) Eigen::setNbThreads(before_);
  }

 private:
  int before_;
};

ContactTangent law_at(const LocalProblem& p, int m, Vec3d trial) {
  return strict_tangent(trial, trial.x, p.mu1[m], p.mu2[m]);
}

Vec3d trial_of(const Proximal& proximal, const Eigen::VectorXd& x, const Eigen::VectorXd& w,
               int m) {
  const Eigen::Vector3d t = x.segment<3>(3 * m) - proximal.rho * w.segment<3>(3 * m);
  return {t[0], t[1], t[2]};
}

Eigen::Vector3d column_of(Vec3d a) {
  return {a.x, a.y, a.z};
}

}  // namespace

Eigen::VectorXd NewtonDirection::regularised_velocity(const Proximal& proximal,
                                                      const Eigen::VectorXd& x) const {
  return problem_.velocity(x) + proximal.alpha * (x - proximal.at);
}

double NewtonDirection::residual(const Proximal& proximal, const Eigen::VectorXd& x) const {
  const Eigen::VectorXd w = regularised_velocity(proximal, x);
  double sum = 0;
  for (int m = 0; m < problem_.n_contact(); ++m) {
    const ContactTangent t = law_at(problem_, m, trial_of(proximal, x, w, m));
    sum += (x.segment<3>(3 * m) - column_of(t.force)).squaredNorm();
  }
  return std::sqrt(sum);
}

double NewtonDirection::linearise(const Proximal& proximal, const Eigen::VectorXd& x) {
  alpha_ = proximal.alpha;
  rho_ = proximal.rho;
  const Eigen::VectorXd w = regularised_velocity(proximal, x);
  known_ = Eigen::VectorXd::Zero(x.size());
  unknown_.clear();
  first_.assign(1, 0);
  double sum = 0;
  for (int m = 0; m < problem_.n_contact(); ++m) {
    const Vec3d trial = trial_of(proximal, x, w, m);
    const ContactTangent t = law_at(problem_, m, trial);
    const Eigen::Vector3d own = x.segment<3>(3 * m), velocity = w.segment<3>(3 * m);
    sum += (own - column_of(t.force)).squaredNorm();
    if (t.state == ContactState::open) {
      known_.segment<3>(3 * m) = -own;
    } else if (t.state == ContactState::stick) {
      for (int axis = 0; axis < 3; ++axis) {
        const Eigen::Vector3d e = Eigen::Vector3d::Unit(axis);
        unknown_.push_back({m, e, e, 0, -velocity[axis], 0});
      }
    } else {
      add_slip(m, t, trial, own, velocity);
    }
    first_.push_back(static_cast<int>(unknown_.size()));
  }
  return std::sqrt(sum);
}

void NewtonDirection::add_slip(int m, const ContactTangent& t, Vec3d trial,
                               const Eigen::Vector3d& x, const Eigen::Vector3d& w) {
  const Eigen::Vector3d normal = Eigen::Vector3d::UnitX(), force = column_of(t.force);
  Eigen::Matrix2d D;
  D << t.slope(1, 1), t.slope(1, 2), t.slope(2, 1), t.slope(2, 2);
  const Eigen::Vector2d along =
      (force.tail<2>() - D * Eigen::Vector2d(trial.y, trial.z)) / trial.x;  // dP_t/dP_n
  const double kappa = D.trace();
  Eigen::Vector3d across = Eigen::Vector3d::Zero();
  if (kappa > kNoSlope) across.tail<2>() = D.col(D(0, 0) >= D(1, 1) ? 0 : 1).normalized();
  // dP_n = dx_n + rho w_n at the end of the step, with zero normal velocity.
  Eigen::Vector3d drag = Eigen::Vector3d::Zero(), change = Eigen::Vector3d::Zero();
  drag.tail<2>() = along;
  change.tail<2>() = force.tail<2>() - x.tail<2>() + along * (rho_ * w[0]);
  const double coupling = across.dot(drag), right = across.dot(change);
  drag -= coupling * across;
  change -= right * across;
  known_.segment<3>(3 * m) = change;
  unknown_.push_back({m, normal, normal + drag, 0, -w[0], 0});
  if (kappa > kNoSlope)
    unknown_.push_back({m, across, across, (1 - kappa) / (kappa * rho_), right / (kappa * rho_),
                        -coupling / (kappa * rho_)});
}

/// Visits the entries of the reduced matrix by columns, rows ascending.
template <class Take>
void NewtonDirection::for_entries(const Take& take) const {
  for (int m = 0; m < problem_.n_contact(); ++m) {
    for (int j = first_[m]; j < first_[m + 1]; ++j) {
      const Unknown& column = unknown_[j];
      for (int k = problem_.W.begin[m]; k < problem_.W.begin[m + 1]; ++k) {
        const int row = problem_.W.row[k];
        if (first_[row] == first_[row + 1]) continue;
        Eigen::Vector3d u = problem_.W.block[k] * column.column;
        if (row == m) u += alpha_ * column.column;
        for (int i = first_[row]; i < first_[row + 1]; ++i) {
          double value = unknown_[i].row.dot(u);
          if (i == j) value += unknown_[i].diagonal;
          if (row == m && j == first_[m]) value += unknown_[i].normal;
          take(i, j, value);
        }
      }
    }
  }
}

std::size_t NewtonDirection::n_entry() const {
  std::size_t n = 0;
  for (int m = 0; m < problem_.n_contact(); ++m)
    for (int k = problem_.W.begin[m]; k < problem_.W.begin[m + 1]; ++k)
      n += static_cast<std::size_t>(first_[m + 1] - first_[m]) *
           (first_[problem_.W.row[k] + 1] - first_[problem_.W.row[k]]);
  return n;
}

bool NewtonDirection::solve(Eigen::VectorXd* direction) {
  const int n = static_cast<int>(unknown_.size());
  *direction = known_;
  if (n == 0) return true;
  Eigen::VectorXd fixed = alpha_ * known_;
  problem_.W.add_product(known_, &fixed);
  Eigen::VectorXd right(n), z;
  for (int i = 0; i < n; ++i)
    right[i] = unknown_[i].right - unknown_[i].row.dot(fixed.segment<3>(3 * unknown_[i].contact));
  const std::size_t entries = n_entry();
  if (n < kSparseRows || static_cast<double>(entries) > kSparseShare * n * n) {
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
    for_entries([&](int i, int j, double value) { K(i, j) = value; });
    const OneDenseThread one;
    z = Eigen::PartialPivLU<Eigen::MatrixXd>(K).solve(right);
  } else {
    Eigen::SparseMatrix<double> K(n, n);
    K.reserve(static_cast<Eigen::Index>(entries));
    int last = -1;
    for_entries([&](int i, int j, double value) {
      while (last < j) K.startVec(++last);
      K.insertBack(i, j) = value;
    });
    while (last < n - 1) K.startVec(++last);
    K.finalize();
    Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::AMDOrdering<int>> factor(K);
    if (factor.info() != Eigen::Success) return false;
    z = factor.solve(right);
  }
  if (!z.allFinite()) return false;
  for (int i = 0; i < n; ++i)
    direction->segment<3>(3 * unknown_[i].contact) += z[i] * unknown_[i].column;
  return true;
}

}  // namespace nodia
