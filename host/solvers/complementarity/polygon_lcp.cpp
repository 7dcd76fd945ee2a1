#include "host/solvers/complementarity/polygon_lcp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/solvers/linear/machine_memory.hpp"
#include "kernels/core/error.hpp"

namespace nodia {

PolygonLcp::PolygonLcp(const Eigen::MatrixXd& D, const Eigen::VectorXd& d,
                       const std::vector<Contact<double>>& contacts, int facets)
    : facets_(facets) {
  require(facets >= 3, "facets", facets, ">= 3", "try 4");
  int n = 0;
  for (const Contact<double>& c : contacts) {
    first_.push_back(n);
    rubs_.push_back(c.mu1 > 0 || c.mu2 > 0);
    n += rubs_.back() ? facets + 2 : 1;
  }
  // Pivoting and Newton steps store four more matrices of this size.
  require_memory(8.0 * 5 * n * n, fmt::format("the LCP of {} contacts", contacts.size()));
  const int n_contact = static_cast<int>(contacts.size());
  B_ = Eigen::MatrixXd::Zero(3 * n_contact, n);
  for (int m = 0; m < n_contact; ++m) {
    B_(3 * m, first_[m]) = 1;
    if (!rubs_[m]) continue;
    const double mu = std::max(contacts[m].mu1, contacts[m].mu2);
    for (int k = 0; k < facets; ++k) {
      const double angle = 2 * std::numbers::pi * k / facets;
      // Directions on the axes are exact.
      const double c = 4 * k == facets || 4 * k == 3 * facets ? 0 : std::cos(angle);
      const double s = 2 * k == facets ? 0 : std::sin(angle);
      B_(3 * m + 1, first_[m] + 1 + k) = contacts[m].mu1 / mu * c;
      B_(3 * m + 2, first_[m] + 1 + k) = contacts[m].mu2 / mu * s;
    }
  }
  lcp_.M = B_.transpose() * D * B_;
  lcp_.q = B_.transpose() * d;
  for (int m = 0; m < n_contact; ++m) {
    if (!rubs_[m]) continue;
    const int slack = first_[m] + facets + 1;
    lcp_.M(slack, first_[m]) = std::max(contacts[m].mu1, contacts[m].mu2);
    for (int k = 0; k < facets; ++k) {
      lcp_.M(first_[m] + 1 + k, slack) = 1;
      lcp_.M(slack, first_[m] + 1 + k) = -1;
    }
  }
}

Eigen::VectorXd PolygonLcp::start(const Eigen::VectorXd& lambda, const Eigen::VectorXd& u) const {
  Eigen::VectorXd z = Eigen::VectorXd::Zero(B_.cols());
  for (std::size_t m = 0; m < first_.size(); ++m) {
    const int i = first_[m], k = static_cast<int>(3 * m);
    z[i] = lambda[k];
    if (!rubs_[m]) continue;
    const Eigen::Vector2d t = lambda.segment<2>(k + 1), slip = u.segment<2>(k + 1);
    const auto direction = [&](int j) -> Eigen::Vector2d {
      return B_.block<2, 1>(k + 1, i + 1 + j % facets_);
    };
    double speed = 0;
    for (int j = 0; j < facets_; ++j) {
      speed = std::max(speed, -direction(j).dot(slip));
      Eigen::Matrix2d pair;
      pair << direction(j), direction(j + 1);
      if (std::abs(pair.determinant()) < 1e-12) continue;
      const Eigen::Vector2d share = pair.inverse() * t;
      if (t.norm() > 0 && share.minCoeff() >= 0 && z.segment(i + 1, facets_).norm() == 0) {
        z[i + 1 + j] = share[0];
        z[i + 1 + (j + 1) % facets_] = share[1];
      }
    }
    z[i + facets_ + 1] = speed;
  }
  return z;
}

void visit_facets(KeyVisitor& v, int& facets) {
  v.integer({"facets", "corners of the polygon in place of the friction cone's section"}, facets, 3,
            256);
}

void require_strict(Projection projection, const std::string& solver) {
  if (projection != Projection::strict)
    throw_bad_value("solver.projection", name_of(projection), "strict with solver " + solver,
                    "the convex relaxation is that of the round cone");
}

}  // namespace nodia
