#include <Eigen/SparseCholesky>
#include <cmath>
#include <limits>

#include "host/errors/errors.hpp"
#include "host/errors/factor.hpp"

namespace nodia {
namespace {

Eigen::VectorXd flatten(const std::vector<Vec3d>& v) {
  Eigen::VectorXd x(3 * static_cast<Eigen::Index>(v.size()));
  for (std::size_t i = 0; i < v.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) x[static_cast<Eigen::Index>(3 * i) + axis] = v[i][axis];
  return x;
}

}  // namespace

struct TrueError::Impl {
  ContactProblem problem;
  Eigen::SparseMatrix<double> A;
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor;
  Eigen::VectorXd v_ref;
  double v_ref_energy_norm = 0;  ///< |v_ref|_A

  double energy_norm(const Eigen::VectorXd& v) const { return std::sqrt(v.dot(A * v)); }

  Eigen::VectorXd velocity(const std::vector<Vec3d>& lambda) const {
    return factor.solve(flatten(problem.b) + flatten(contact_force(problem, lambda)));
  }
};

TrueError::TrueError(const ContactProblem& p, const std::vector<Vec3d>& v_ref)
    : impl_(std::make_unique<Impl>()) {
  impl_->problem = p;
  impl_->A = p.A.to_eigen();
  factorise(p, &impl_->factor);
  impl_->v_ref = flatten(v_ref);
  impl_->v_ref_energy_norm = impl_->energy_norm(impl_->v_ref);
}

TrueError::~TrueError() = default;

double TrueError::operator()(const std::vector<Vec3d>& lambda) const {
  const double error = impl_->energy_norm(impl_->velocity(lambda) - impl_->v_ref);
  if (!std::isfinite(impl_->v_ref_energy_norm)) return std::numeric_limits<double>::quiet_NaN();
  return impl_->v_ref_energy_norm == 0 || error == 0 ? error : error / impl_->v_ref_energy_norm;
}

std::vector<Vec3d> TrueError::consistent_velocity(const std::vector<Vec3d>& lambda) const {
  const Eigen::VectorXd x = impl_->velocity(lambda);
  std::vector<Vec3d> v(impl_->problem.b.size());
  for (std::size_t i = 0; i < v.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) v[i][axis] = x[static_cast<Eigen::Index>(3 * i) + axis];
  return v;
}

}  // namespace nodia
