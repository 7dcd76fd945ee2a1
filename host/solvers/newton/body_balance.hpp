/// Compares the errors of Newton's law and of the contact law with each body's own scale, so that a
/// gram under a tonne is as exact as the tonne (docs/solver.md, "Right for every body").
///
///   f_b = sum over the body's rows of b - A v_start                         free force
///   a_b = sum of tr(A_ii)/3 over the body's rows of translation
///
///   |force error|  <= tolerance max(|contact force|, |f_b|)
///   |torque error| <= tolerance max(|contact torque|, |free torque|, the scale above times the
///                                   body's radius of gyration)
///   gamma |P(lambda - u/gamma) - lambda| <= tolerance max(K |v of its bodies|, 10 |f_b|/a_b)
///
/// The last line holds for rigid contacts, with K = 100. The error of each coordinate k of a robot
/// is divided by sqrt(A_kk) and compared with the robot's largest contact or free force, divided
/// alike. An error counts as zero if it changes the velocity by less than 1e-12 m/s (or unit of the
/// coordinate per second), or if it is rounding of contact forces that cancel.
#pragma once

#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/solvers/options.hpp"

namespace nodia {

/// Error of a body, relative to its scale.
struct BodyError {
  double share = 0;
  int body = -1;  ///< index in the topology; -1: none

  void raise(double other, int of) {
    if (!(other <= share)) *this = {other, of};
  }
};

class BodyBalance {
 public:
  /// @param problem  has one environment; kept by reference
  /// @param v        velocity at the start of the solve [m/s]
  /// @param free     b - A v [N]
  BodyBalance(const ContactProblem& problem, const std::vector<Vec3d>& v,
              const std::vector<Vec3d>& free);

  /// Largest error of force, torque, and the law of rigid contacts.
  /// @param v         [n_row] [m/s]
  /// @param residual  A v - b - J^T lambda [N]
  BodyError worst(const CommonOptions& options, const std::vector<Vec3d>& v,
                  const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& residual) const;
  /// Speed with which the forces of contact m are compared: the largest |v_start| or |f_b|/a_b of
  /// the bodies that contacts connect with the contact's own [m/s]. 0 for a body that touches no
  /// other body.
  double speed(int m) const;
  /// Upper bound of the load of contact m, its force over speed(m): ten times the sum of a_b over
  /// the bodies that contacts connect with the contact's own [kg/s]. Infinite if one is a robot.
  double largest_load(int m) const;
  /// True if the masses of two bodies that touch differ by more than a factor of 500. Robots do not
  /// count.
  bool has_unequal_masses() const;

 private:
  struct Sums {
    Vec3d force{}, torque{};  ///< torque about the centre
    double pressing = 0;      ///< sum of the norms
  };

  BodyError of_momentum(const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& residual) const;
  BodyError of_law(const CommonOptions& options, const std::vector<Vec3d>& v,
                   const std::vector<Vec3d>& lambda) const;
  void set_bodies(const std::vector<Vec3d>& v, const std::vector<Vec3d>& free);
  void connect();
  void set_compliances();
  Sums sums_of(int body, const std::vector<Vec3d>& force) const;
  /// Largest speed of a body: of its rows, or of its contacts if it is a robot.
  std::vector<double> speeds(const std::vector<Vec3d>& v) const;
  void add_robot(int body, const std::vector<Vec3d>& force, const std::vector<Vec3d>& residual,
                 BodyError* error) const;

  const ContactProblem& problem_;
  std::vector<std::int32_t> body_of_;  ///< [n_row]
  std::vector<std::int32_t> side_[2];  ///< [n_contact] body of each side; -1: the world
  std::vector<Vec3d> centre_;          ///< [n_body] of mass [m]; without positions the origin
  std::vector<double> inertia_;        ///< [n_body] a_b [kg/s]
  std::vector<double> radius_;         ///< [n_body] of gyration [m]
  std::vector<double> free_speed_;     ///< [n_body] |f_b|/a_b [m/s]
  std::vector<double> group_speed_;    ///< [n_body]
  std::vector<double> group_inertia_;  ///< [n_body] sum of a_b over connected bodies [kg/s]
  std::vector<double> compliance_;     ///< [n_contact] largest eigenvalue of J A^-1 J^T of rigid
                                       ///< contacts [m/(N s)]; 0 for others
  std::vector<Vec3d> free_;            ///< [n_row]
  std::vector<Sums> free_sums_;        ///< [n_body]
};

/// Error of a solution of one environment.
/// @param start  velocity at the start of the solve; empty: zero [m/s]
BodyError body_error(const ContactProblem& problem, const CommonOptions& options,
                     const std::vector<Vec3d>& start, const std::vector<Vec3d>& v,
                     const std::vector<Vec3d>& lambda);

}  // namespace nodia
