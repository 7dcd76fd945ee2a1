#include "host/solvers/newton/inverse_energy.hpp"

#include <utility>

namespace nodia {
namespace {

/// The iteration ends with a step that adds less than this share.
constexpr double kLittle = 0.02;

}  // namespace

void InverseEnergy::choose_way() {
  const bool eliminates =
      chains_->set_pattern(system_.K.pattern, system_.problem.topology[0]->bodies) &&
      chains_->factorise(system_.K);
  way_ = eliminates ? Way::elimination : Way::iteration;
  if (eliminates) multiply_adds_ += chains_->work().factorise;
}

double InverseEnergy::squared(const std::vector<Vec3d>& f, int products) {
  if (way_ == Way::unknown) choose_way();
  if (way_ == Way::iteration) return iterate(f, products);
  chains_->solve(f, &x_);
  multiply_adds_ += chains_->work().solve;
  return dot(f, x_);
}

double InverseEnergy::iterate(const std::vector<Vec3d>& f, int products) const {
  std::vector<Vec3d> r = f, z(r.size()), p, Kp;
  std::vector<Mat3d> inverse_block(r.size());
  for (int i = 0; i < system_.n_row(); ++i)
    inverse_block[i] = inverse(system_.K.block(system_.K.pattern->diagonal[i]));
  double squared = 0, rz = 0;
  for (int k = 0; k < products; ++k) {
    for (std::size_t i = 0; i < r.size(); ++i) z[i] = inverse_block[i] * r[i];
    const double rz_before = std::exchange(rz, dot(r, z));
    if (!(rz > 0)) break;
    if (k == 0)
      p = z;
    else
      for (std::size_t i = 0; i < r.size(); ++i) p[i] = z[i] + (rz / rz_before) * p[i];
    system_.multiply(p, &Kp);
    const double pKp = dot(p, Kp);
    if (!(pKp > 0)) break;
    const double alpha = rz / pKp;
    squared += alpha * rz;
    if (alpha * rz < kLittle * squared) break;
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= alpha * Kp[i];
  }
  return squared;
}

}  // namespace nodia
