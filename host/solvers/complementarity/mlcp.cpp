#include "host/solvers/complementarity/mlcp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kXi = 0.7;

double square(double x) {
  return x * x;
}

Vec3d three(const Eigen::VectorXd& x, int first) {
  return {x[first], x[first + 1], x[first + 2]};
}

/// Squares of phi for a friction force of any dimension, with the tangential speed and force.
double friction_phi(double normal, double mu, Vec3d force, Vec3d speed) {
  const double s = norm(speed);
  return square(cck_function(s, mu * normal - norm(force))) +
         squared_norm(mu * normal * speed + s * force);
}

}  // namespace

ForceSet ForceSet::free(int entry) {
  return interval(entry, -kUnbounded, kUnbounded);
}

ForceSet ForceSet::interval(int entry, double lower, double upper) {
  return {.first = entry, .lower = lower, .upper = upper};
}

ForceSet ForceSet::friction(int entry, int normal, double mu) {
  return {.kind = Kind::friction, .first = entry, .normal = normal, .mu1 = mu};
}

ForceSet ForceSet::contact(int first, double mu1, double mu2, const FrictionLaw& law) {
  return {.kind = Kind::contact, .first = first, .mu1 = mu1, .mu2 = mu2, .law = law};
}

void Mlcp::validate() const {
  require(A.rows() == A.cols() && A.rows() == b.size(), "mlcp.b, size", size(),
          "that of a square A", "");
  std::vector<int> covered(static_cast<std::size_t>(size()), 0);
  for (std::size_t k = 0; k < sets.size(); ++k) {
    const ForceSet& s = sets[k];
    const std::string name = fmt::format("mlcp.sets[{}]", k);
    require(s.first >= 0 && s.first + s.n_entry() <= size(), name + ".first", s.first,
            "entries of the problem", "");
    for (int i = 0; i < s.n_entry(); ++i) ++covered[s.first + i];
    if (s.kind == ForceSet::Kind::interval)
      require(s.lower <= s.upper, name + ".lower", s.lower, "at most upper", "");
    if (s.kind == ForceSet::Kind::friction)
      require(s.normal >= 0 && s.normal < size() && s.normal != s.first && covered[s.normal] > 0,
              name + ".normal", s.normal, "an entry of a set further up", "");
    require(s.mu1 >= 0 && std::isfinite(s.mu1), name + ".mu1", s.mu1, "finite and >= 0", "");
    require(s.mu2 >= 0 && std::isfinite(s.mu2), name + ".mu2", s.mu2, "finite and >= 0", "");
  }
  for (int i = 0; i < size(); ++i)
    require(covered[i] == 1, fmt::format("mlcp.sets, of entry {}", i), covered[i], "1", "");
}

Mlcp to_mlcp(const Lcp& lcp) {
  Mlcp mlcp{lcp.M, lcp.q, {}};
  for (int i = 0; i < lcp.size(); ++i) mlcp.sets.push_back(ForceSet::not_negative(i));
  return mlcp;
}

void project(const std::vector<ForceSet>& sets, Eigen::VectorXd* x) {
  for (const ForceSet& s : sets) {
    double& value = (*x)[s.first];
    switch (s.kind) {
      case ForceSet::Kind::interval:
        value = std::isnan(value) ? value : std::clamp(value, s.lower, s.upper);
        break;
      case ForceSet::Kind::friction: {
        const double bound = s.mu1 * std::max((*x)[s.normal], 0.0);
        value = std::isnan(value + bound) ? value + bound : std::clamp(value, -bound, bound);
        break;
      }
      case ForceSet::Kind::contact: {
        const Vec3d p = s.law.project(three(*x, s.first), s.mu1, s.mu2);
        for (int axis = 0; axis < 3; ++axis) (*x)[s.first + axis] = p[axis];
        break;
      }
    }
  }
}

double energy_error(const Mlcp& mlcp, const Eigen::VectorXd& x) {
  mlcp.validate();
  require(x.size() == mlcp.size(), "x, size", static_cast<double>(x.size()), "the problem's", "");
  for (int i = 0; i < mlcp.size(); ++i)
    require(mlcp.A(i, i) > 0, fmt::format("mlcp.A({0}, {0})", i), mlcp.A(i, i), "> 0",
            "entries without inertia have no energy; write friction as sets");
  const Eigen::VectorXd w = mlcp.A * x + mlcp.b, a = mlcp.A.diagonal();
  double sum = 0;
  for (const ForceSet& s : mlcp.sets) {
    const int i = s.first;
    switch (s.kind) {
      case ForceSet::Kind::interval:
        sum += energy_error_scalar(x[i], w[i], a[i], s.lower, s.upper);
        break;
      case ForceSet::Kind::friction: {
        const double bound = s.mu1 * std::max(x[s.normal], 0.0);
        sum += energy_error_scalar(x[i], w[i], a[i], -bound, bound);
        break;
      }
      case ForceSet::Kind::contact:
        sum += s.law.energy_error({three(x, i), three(w, i), three(a, i), s.mu1, s.mu2});
        break;
    }
  }
  return sum;
}

double cck_function(double p, double rho) {
  return kXi * (p + rho - std::hypot(p, rho)) + (1 - kXi) * std::max(p, 0.0) * std::max(rho, 0.0);
}

double cck_error(const Mlcp& mlcp, const Eigen::VectorXd& x, const Eigen::VectorXd& w) {
  double squares = 0;
  for (const ForceSet& s : mlcp.sets) {
    const int i = s.first;
    switch (s.kind) {
      case ForceSet::Kind::interval:
        if (std::isfinite(s.lower)) squares += square(cck_function(x[i] - s.lower, w[i]));
        if (std::isfinite(s.upper)) squares += square(cck_function(s.upper - x[i], -w[i]));
        if (!std::isfinite(s.lower) && !std::isfinite(s.upper)) squares += square(w[i]);
        break;
      case ForceSet::Kind::friction:
        squares += friction_phi(x[s.normal], s.mu1, {x[i], 0, 0}, {w[i], 0, 0});
        break;
      case ForceSet::Kind::contact:
        if (s.law.section != Section::disc || s.law.projection != Projection::strict ||
            s.mu1 != s.mu2)
          throw InputError(
              "CCK error (must be of the strict, isotropic cone; use the energy error elsewhere)");
        squares += square(cck_function(x[i], w[i])) +
                   friction_phi(x[i], s.mu1, {0, x[i + 1], x[i + 2]}, {0, w[i + 1], w[i + 2]});
        break;
    }
  }
  return squares / 2;
}

}  // namespace nodia
