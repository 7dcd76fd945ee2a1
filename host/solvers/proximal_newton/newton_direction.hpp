/// The semismooth Newton direction of the Alart-Curnier equations of a regularised local problem.
///
///   F(x) = x - P(tau),   tau = x - rho w,   w = W x + q + alpha (x - x_k)
///
/// P is the strict law: tau_n on [0, inf), then tau_t on the section of half axes mu_i P_n. Its
/// derivative includes the motion of the section, so it is not symmetric:
///
///   dP_t = D dtau_t + (P_t - D tau_t)/P_n dP_n
///
/// D = 1 if a contact sticks, kappa e e^T if it slips along the section's normal c, with e across
/// it. Open contacts and the forces along c are eliminated: three unknowns remain per sticking
/// contact, two per slipping one, with the rows of W + alpha.
#pragma once

#include "host/solvers/proximal_newton/local_problem.hpp"
#include "kernels/contact/tangent.hpp"

namespace nodia {

/// Proximal point problem with the last point x_k.
struct Proximal {
  double alpha = 0;    ///< > 0, over the largest compliance of a contact [-]
  double rho = 1;      ///< > 0, parameter of the equations
  Eigen::VectorXd at;  ///< x_k
};

class NewtonDirection {
 public:
  /// @param problem  scaled: the compliances of contacts are 1
  explicit NewtonDirection(const LocalProblem& problem) : problem_(problem) {}

  /// Linearises the law at x. @return |F|
  double linearise(const Proximal& proximal, const Eigen::VectorXd& x);
  /// |F| at x; changes nothing.
  double residual(const Proximal& proximal, const Eigen::VectorXd& x) const;
  /// Direction at the last linearise(). @return false if its matrix is singular
  bool solve(Eigen::VectorXd* direction);

 private:
  /// Unknown of the reduced system: a force of contact `contact` along `column`, including the
  /// eliminated forces that follow it, with the velocity equation along `row`.
  struct Unknown {
    int contact = 0;
    Eigen::Vector3d row, column;
    double diagonal = 0, right = 0;
    double normal = 0;  ///< entry at the contact's normal unknown, coupled by the section
  };

  Eigen::VectorXd regularised_velocity(const Proximal& proximal, const Eigen::VectorXd& x) const;
  void add_slip(int m, const ContactTangent& t, Vec3d trial, const Eigen::Vector3d& x,
                const Eigen::Vector3d& w);
  template <class Take>
  void for_entries(const Take& take) const;
  std::size_t n_entry() const;

  const LocalProblem& problem_;
  double alpha_ = 0, rho_ = 1;
  std::vector<Unknown> unknown_;
  std::vector<int> first_;  ///< [n_contact + 1] unknowns of a contact
  Eigen::VectorXd known_;   ///< direction of the eliminated forces
};

}  // namespace nodia
