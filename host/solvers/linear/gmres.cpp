#include "host/solvers/linear/gmres.hpp"

#include <Eigen/Dense>
#include <cmath>

namespace nodia {

bool gmres(const std::function<void(const std::vector<Vec3d>&, std::vector<Vec3d>*)>& apply,
           const std::vector<double>& weight, int most, double enough, std::vector<Vec3d>* x) {
  const std::size_t n = x->size();
  const auto inner = [&](const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += weight[i] * dot(a[i], b[i]);
    return sum;
  };
  std::vector<Vec3d> r = *x, z;
  apply(*x, &z);
  for (std::size_t i = 0; i < n; ++i) r[i] -= z[i];
  const double residual = std::sqrt(inner(r, r)), size = std::sqrt(inner(*x, *x));
  if (!(residual > enough * size)) return std::isfinite(residual);
  // Arnoldi vectors and Hessenberg matrix, made triangular by rotations
  std::vector<std::vector<Vec3d>> basis;
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(most + 1, most);
  Eigen::VectorXd g = Eigen::VectorXd::Zero(most + 1);
  std::vector<Eigen::JacobiRotation<double>> rotations;
  g[0] = residual;
  for (Vec3d& value : r) value = (1 / residual) * value;
  basis.push_back(r);
  int k = 0;
  while (k < most && std::fabs(g[k]) > enough * size) {
    apply(basis.back(), &z);
    for (int j = 0; j <= k; ++j) {
      H(j, k) = inner(basis[j], z);
      for (std::size_t i = 0; i < n; ++i) z[i] -= H(j, k) * basis[j][i];
    }
    H(k + 1, k) = std::sqrt(inner(z, z));
    if (!std::isfinite(H(k + 1, k))) return false;
    if (H(k + 1, k) > 0)
      for (Vec3d& value : z) value = (1 / H(k + 1, k)) * value;
    basis.push_back(z);
    for (int j = 0; j < k; ++j) H.col(k).applyOnTheLeft(j, j + 1, rotations[j].adjoint());
    Eigen::JacobiRotation<double>& rotation = rotations.emplace_back();
    rotation.makeGivens(H(k, k), H(k + 1, k));
    H.col(k).applyOnTheLeft(k, k + 1, rotation.adjoint());
    g.applyOnTheLeft(k, k + 1, rotation.adjoint());
    if (!(std::fabs(H(k, k)) > 0)) return false;
    ++k;
  }
  const Eigen::VectorXd c = H.topLeftCorner(k, k).triangularView<Eigen::Upper>().solve(g.head(k));
  for (int j = 0; j < k; ++j)
    for (std::size_t i = 0; i < n; ++i) (*x)[i] += c[j] * basis[j][i];
  return true;
}

}  // namespace nodia
