#include "host/exchange/friction_problem.hpp"

#include "host/exchange/largest_entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/contact/projections.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

void require_size(const std::string& key, Eigen::Index size, Eigen::Index expected,
                  const char* hint) {
  if (size != expected)
    throw_bad_value(key, std::to_string(size), fmt::format("{}", expected), hint);
}

void require_finite(const std::string& key, const double* values, Eigen::Index size) {
  for (Eigen::Index i = 0; i < size; ++i)
    if (!std::isfinite(values[i]))
      throw_bad_value(fmt::format("{}[{}]", key, i), values[i], "finite", "the file is damaged");
}

/// |natural map|^2 of one contact, rho = 1.
double natural_map_squared(const double* r, const double* u, int dimension, double mu) {
  const bool plane = dimension == 2;
  const Vec3d force{r[0], r[1], plane ? 0 : r[2]};
  Vec3d velocity{u[0], u[1], plane ? 0 : u[2]};
  velocity.x += mu * std::hypot(velocity.y, velocity.z);
  return squared_norm(force - project_proximal(force - velocity, mu, mu));
}

double natural_map(const FrictionProblem& p, const Eigen::VectorXd& r, const Eigen::VectorXd& u) {
  double sum = 0;
  for (int m = 0; m < p.n_contact(); ++m)
    sum += natural_map_squared(r.data() + p.dimension * m, u.data() + p.dimension * m, p.dimension,
                               p.mu[m]);
  return std::sqrt(sum);
}

/// @return NaN if a norm overflowed, because an infinite divisor would make any error zero
double scaled(double error, std::initializer_list<double> norms, double least) {
  for (const double norm : norms)
    if (!std::isfinite(norm)) return std::numeric_limits<double>::quiet_NaN();
  const double scale = std::max(norms);
  return scale > least ? error / scale : error;
}

}  // namespace

const char* name_of(FrictionKind kind) {
  return kind == FrictionKind::global ? "global" : "local";
}

double FrictionProblem::asymmetry() const {
  const double scale = largest_entry(M);
  const SparseMatrix transposed = M.transpose();
  return scale > 0 ? largest_entry(M - transposed) / scale : 0;
}

void FrictionProblem::validate(const std::string& where) {
  const std::string M_name = kind == FrictionKind::global ? "M" : "W";
  const auto key = [&](const std::string& name) { return where + ": " + name; };
  require(dimension == 2 || dimension == 3, key("dimension"), dimension, "2 or 3", "");
  const Eigen::Index n_row = static_cast<Eigen::Index>(dimension) * n_contact();
  require_size(key(M_name + ", columns"), M.cols(), M.rows(), "it is square");
  require_size(key("q, values"), q.size(), M.rows(), "one a row of the matrix");
  if (kind == FrictionKind::global) {
    require_size(key("H, rows"), H.rows(), M.rows(), "H maps contact impulses to rows of M");
    require_size(key("H, columns"), H.cols(), n_row, "dimension times the number of contacts");
    require_size(key("b, values"), b.size(), n_row, "dimension times the number of contacts");
  } else {
    require_size(key("W, rows"), M.rows(), n_row,
                 "dimension times the number of contacts; or is the problem a global one?");
  }
  M.makeCompressed();
  H.makeCompressed();
  require_finite(key(M_name), M.valuePtr(), M.nonZeros());
  require_finite(key("H"), H.valuePtr(), H.nonZeros());
  require_finite(key("q"), q.data(), q.size());
  require_finite(key("b"), b.data(), b.size());
  for (std::size_t m = 0; m < mu.size(); ++m)
    require(mu[m] >= 0 && std::isfinite(mu[m]), key(fmt::format("mu[{}]", m)), mu[m],
            "finite and >= 0", "a Coulomb coefficient");
  const double relative = asymmetry();
  const double refused = kind == FrictionKind::global ? kAsymmetryRefused : kAsymmetryRefusedLocal;
  require(relative <= refused, key("asymmetry of " + M_name), relative,
          fmt::format("<= {}", refused),
          "blocks are column-major; or the matrix is that of another kind of problem");
  if (relative > kAsymmetryNoticed)
    notes.push_back(
        fmt::format("{} is not symmetric: {:.1e} of its largest value; solved by defect "
                    "correction",
                    M_name, relative));
}

Eigen::VectorXd contact_velocity(const FrictionProblem& p, const Eigen::VectorXd& v,
                                 const Eigen::VectorXd& r) {
  if (p.kind == FrictionKind::local) return p.M * r + p.q;
  return p.H.transpose() * v + p.b;
}

double error_siconos(const FrictionProblem& p, const Eigen::VectorXd& v, const Eigen::VectorXd& r) {
  const Eigen::VectorXd u = contact_velocity(p, v, r);
  const double contact = natural_map(p, r, u);
  if (p.kind == FrictionKind::local)
    return scaled(contact, {p.q.norm(), r.norm(), u.norm()},
                  std::numeric_limits<double>::epsilon());
  const double least = std::sqrt(std::numeric_limits<double>::epsilon());
  const Eigen::VectorXd Mv = p.M * v, Hr = p.H * r;
  const double dynamics = scaled((p.q + Hr - Mv).norm(), {p.q.norm(), Mv.norm(), Hr.norm()}, least);
  return dynamics + scaled(contact, {u.norm(), r.norm()}, least);
}

}  // namespace nodia
