#include "host/solvers/newton/body_sweeps.hpp"

#include <cmath>

#include "host/solvers/newton/exact_contact.hpp"

namespace nodia {

bool BodySweeps::fits(const RelativeSystem& system, Projection projection) {
  const std::vector<Body>& bodies = system.problem.topology[0]->bodies;
  if (projection != Projection::strict || system.relative.has_slaves()) return false;
  const BlockPattern& pattern = *system.problem.A.pattern;
  for (const Body& body : bodies) {
    if (!is_dense(body.kind)) return false;
    for (int i = body.first_row; i < body.first_row + body.n_row; ++i)
      for (std::int32_t k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k)
        if (pattern.column[k] < body.first_row || pattern.column[k] >= body.first_row + body.n_row)
          return false;
  }
  return true;
}

BodySweeps::BodySweeps(const RelativeSystem& system, double invertible_omega)
    : system_(system),
      invertible_omega_(invertible_omega),
      inverses_(*system.problem.topology[0], system.problem.A) {
  const RelativeCoordinates& relative = system.relative;
  for (int m = 0; m < system.n_contact(); ++m) {
    first_.push_back(static_cast<std::int32_t>(row_.size()));
    Mat3d D = invertible_omega * Mat3d::identity();
    inverses_.for_columns(relative.begin(m), relative.end(m),
                          [&](std::int32_t row, const Mat3d& column) {
                            row_.push_back(row);
                            column_.push_back(column);
                          });
    for (const ContactPart* e = relative.begin(m); e != relative.end(m); ++e)
      for (std::size_t k = static_cast<std::size_t>(first_.back()); k < row_.size(); ++k)
        if (row_[k] == e->row) D = D + e->J * column_[k];
    D_.push_back(D);
  }
  first_.push_back(static_cast<std::int32_t>(row_.size()));
}

void BodySweeps::set_velocity(const std::vector<Vec3d>& lambda, std::vector<Vec3d>* y) {
  *y = system_.b;
  for (int m = 0; m < system_.n_contact(); ++m) system_.add_force(m, lambda[m], y);
  inverses_.solve(y);
}

void BodySweeps::run(int n_sweep, double enough, std::vector<Vec3d>* y,
                     std::vector<Vec3d>* lambda) {
  set_velocity(*lambda, y);
  const int n = system_.n_contact();
  for (int s = 0; s < n_sweep; ++s) {
    double change = 0, size = 0;
    for (int q = 0; q < n; ++q) {
      const int m = s % 2 == 0 ? q : n - 1 - q;
      const Contact<double>& c = system_.problem.contacts[m];
      const Mat3d& D = D_[m];
      Vec3d& force = (*lambda)[m];
      const Vec3d u = system_.velocity(m, *y) + invertible_omega_ * force;
      const Vec3d now = exact_contact(D, u - D * force, c.mu1, c.mu2, force), step = now - force;
      size += D(0, 0) * squared_norm(now);
      if (squared_norm(step) == 0) continue;
      change += D(0, 0) * squared_norm(step);
      force = now;
      for (std::int32_t e = first_[m]; e < first_[m + 1]; ++e) (*y)[row_[e]] += column_[e] * step;
    }
    ++n_sweep_;
    if (std::sqrt(change) <= enough * std::sqrt(size)) break;
  }
  set_velocity(*lambda, y);
}

double BodySweeps::multiply_adds() const {
  return n_sweep_ * (18.0 * static_cast<double>(row_.size()) + 27.0 * system_.n_contact());
}

}  // namespace nodia
