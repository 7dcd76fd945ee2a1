#include "host/solvers/newton/smoothing.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "fem/matrix/eigen_block.hpp"
#include "fem/matrix/symmetric_eigen.hpp"
#include "host/solvers/linear/power_start.hpp"
#include "host/solvers/newton/body_inverses.hpp"
#include "kernels/cpu/cpu_launcher.hpp"

namespace nodia {
namespace {

constexpr double kGuard = 1.05;  ///< factor on lambda_max, which is found from below
constexpr int kColdProducts = 15, kWarmProducts = 1;

double largest_eigenvalue(const Eigen::Matrix3d& m) {
  return symmetric_eigenvalues(m).maxCoeff();
}

}  // namespace

Smoothing::Smoothing(const RelativeSystem& system, Projection projection, double invertible_omega,
                     std::vector<Vec3d>* direction)
    : system_(system) {
  view_.projection = projection;
  view_.invertible_omega = invertible_omega;
  const std::size_t n = system.b.size();
  const RelativeCoordinates& relative = system.relative;
  w_.assign(n, 0);
  inverse_.assign(n, Mat3d{});
  std::vector<char> touched(n, 0);
  for (int m = 0; m < system.n_contact(); ++m) {
    for (const ContactPart* e = relative.begin(m); e != relative.end(m); ++e) touched[e->row] = 1;
    if (relative.contact_class(m) == ContactClass::single) single_.push_back(m);
    if (relative.contact_class(m) == ContactClass::coupled) coupled_.push_back(m);
  }
  for (int i = 0; i < system.n_row(); ++i) {
    if (!relative.is_smoothed(i)) continue;
    const Mat3d D = system.K.block(system.K.pattern->diagonal[i]);
    if (touched[i])
      w_[i] = 3 / trace(D);
    else
      inverse_[i] = inverse(D);
  }
  set_compliance();
  set_view();
  if (relative.smooths()) estimate_lambda_max(direction);
}

void Smoothing::set_compliance() {
  BodyInverses bodies(*system_.problem.topology[0], system_.K);
  const RelativeCoordinates& relative = system_.relative;
  compliance_.resize(system_.problem.contacts.size());
  for (int m = 0; m < system_.n_contact(); ++m) {
    if (relative.contact_class(m) == ContactClass::rigid) {
      compliance_[m] = largest_eigenvalue(bodies.compliance(relative.begin(m), relative.end(m)));
      continue;
    }
    Mat3d sum{};
    for (const ContactPart* e = relative.begin(m); e != relative.end(m); ++e)
      if (relative.is_smoothed(e->row)) sum = sum + w_[e->row] * (e->J * transpose(e->J));
    compliance_[m] = relative.contact_class(m) == ContactClass::single
                         ? w_[relative.begin(m)->row]
                         : largest_eigenvalue(to_eigen(sum));
  }
}

void Smoothing::apply(const std::vector<Vec3d>& x, std::vector<Vec3d>* product) const {
  product->resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) (*product)[i] = view_.times(static_cast<int>(i), x[i]);
}

/// Estimates lambda_max from below by the quotient x.Kx/x.W^-1 x = z.Wz/x.z with z = K x.
void Smoothing::estimate_lambda_max(std::vector<Vec3d>* direction) {
  const bool warm = direction->size() == system_.b.size();
  std::vector<Vec3d> x = *direction, z, Wz;
  start_power_iteration(system_.K, system_.problem.topology[0]->bodies, &x);
  for (int i = 0; i < system_.n_row(); ++i)
    if (!system_.relative.is_smoothed(i)) x[i] = {};
  for (int k = 0; k < (warm ? kWarmProducts : kColdProducts); ++k) {
    system_.multiply(x, &z);
    apply(z, &Wz);
    const double energy = dot(x, z);
    if (!(energy > 0) || !std::isfinite(energy)) break;
    lambda_max_ = dot(z, Wz) / energy;
    const double scale = 1 / std::sqrt(dot(Wz, Wz));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = scale * Wz[i];
  }
  if (!(lambda_max_ > 0) || !std::isfinite(lambda_max_)) lambda_max_ = 1;
  view_.omega = 1 / (kGuard * lambda_max_);
  *direction = x;
}

void Smoothing::set_view() {
  view_.K = system_.K.view();
  view_.b = system_.b.data();
  view_.w = w_.data();
  view_.inverse = inverse_.data();
  view_.compliance = compliance_.data();
  view_.contact = system_.problem.contacts.data();
  view_.part_begin = system_.relative.part_begin();
  view_.part = system_.relative.begin(0);
  view_.single = single_.data();
  view_.n_single = static_cast<int>(single_.size());
  view_.coupled = coupled_.data();
  view_.n_coupled = static_cast<int>(coupled_.size());
  before_.resize(coupled_.size());
  view_.before = before_.data();
}

SmoothingView Smoothing::view(std::vector<Vec3d>* y, std::vector<Vec3d>* g,
                              std::vector<Vec3d>* lambda) {
  SmoothingView own = view_;
  own.y = y->data();
  own.g = g->data();
  own.lambda = lambda->data();
  own.sweep_change = &sweep_change_;
  return own;
}

void Smoothing::run(std::vector<Vec3d>* y, std::vector<Vec3d>* g, std::vector<Vec3d>* lambda) {
  const SmoothingView own = view(y, g, lambda);
  launch_smoothing(CpuLauncher(isa_, system_.n_thread()), &own, 1, own.K.n_row, own.n_single);
}

}  // namespace nodia
