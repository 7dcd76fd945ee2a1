/// Scales contacts to a mixed complementarity problem in which each has the mean compliance 1.
#pragma once

#include <cmath>
#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/solvers/complementarity/mlcp.hpp"

namespace nodia {

/// lambda = s x, w = s u with one s > 0 per contact preserves cones; one r suits any mass ratio.
struct ScaledContacts {
  Mlcp mlcp;
  Eigen::VectorXd s;  ///< [3 n_contact]
};

/// @param D, d  u = D lambda + d, three rows per contact
inline ScaledContacts scaled_contacts(const Eigen::MatrixXd& D, const Eigen::VectorXd& d,
                                      const std::vector<Contact<double>>& contacts,
                                      const FrictionLaw& law) {
  ScaledContacts c{{}, Eigen::VectorXd(d.size())};
  for (int m = 0; m < static_cast<int>(contacts.size()); ++m) {
    const double compliance = D.diagonal().segment<3>(3 * m).mean();
    c.s.segment<3>(3 * m).setConstant(compliance > 0 ? 1 / std::sqrt(compliance) : 1);
    c.mlcp.sets.push_back(ForceSet::contact(3 * m, contacts[m].mu1, contacts[m].mu2, law));
  }
  c.mlcp.A = c.s.asDiagonal() * D * c.s.asDiagonal();
  c.mlcp.b = c.s.cwiseProduct(d);
  return c;
}

}  // namespace nodia
