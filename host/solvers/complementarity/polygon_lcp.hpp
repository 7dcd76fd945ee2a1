/// Contacts with a polygonal section of the friction cone, as one Lcp (Lu & Trinkle, (12) to (14);
/// Stewart & Trinkle):
///
///   z = (lambda_n, beta_1..beta_F, s) of every contact,   lambda_t = sum_k beta_k d_k
///
///   0 <= lambda_n            _|_  u_n                       >= 0
///   0 <= beta_k              _|_  d_k . u_t + s             >= 0
///   0 <= s                   _|_  mu lambda_n - sum beta_k  >= 0
///
/// d_k = (mu1 cos, mu2 sin)(2 pi k/F)/mu, mu = max(mu1, mu2). Frictionless: only lambda_n.
#pragma once

#include "host/problem/contact_problem.hpp"
#include "host/solvers/complementarity/lcp.hpp"
#include "host/solvers/options.hpp"

namespace nodia {

class PolygonLcp {
 public:
  /// @param D, d    u = D lambda + d, three rows per contact (n, t1, t2)
  /// @param facets  F >= 3
  /// @throws RuntimeError if the dense matrices exceed the machine's memory
  PolygonLcp(const Eigen::MatrixXd& D, const Eigen::VectorXd& d,
             const std::vector<Contact<double>>& contacts, int facets);

  const Lcp& lcp() const { return lcp_; }
  /// Force lambda [3 n_contact] of z.
  Eigen::VectorXd force(const Eigen::VectorXd& z) const { return B_ * z; }
  /// Computes a start z with this force: tangential forces are split along their two neighbouring
  /// directions, and s follows from the velocity. Exact at a solution.
  Eigen::VectorXd start(const Eigen::VectorXd& lambda, const Eigen::VectorXd& u) const;

 private:
  Eigen::MatrixXd B_;  ///< [3 n_contact, n] lambda = B z
  Lcp lcp_;
  int facets_;
  std::vector<int> first_;  ///< entry of lambda_n for each contact
  std::vector<bool> rubs_;  ///< true if the contact has friction
};

/// Visits the key of the solvers with polygons.
void visit_facets(KeyVisitor& v, int& facets);
/// Throws InputError for the convex relaxation, which exists for the round cone only.
void require_strict(Projection projection, const std::string& solver);

}  // namespace nodia
