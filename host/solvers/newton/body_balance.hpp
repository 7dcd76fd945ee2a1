/// Newton's law and the contact law, body by body: each on the body's own scale, so that a gram
/// under a tonne is as exact as the tonne (docs/solver.md, "Right for every body").
///
///   f_b = sum over the body's rows of b - A v_start                         free force
///   a_b = sum of tr(A_ii)/3 over the body's rows of translation
///
///   |force error|  <= tolerance max(|contact force|, |f_b|)
///   |torque error| <= tolerance max(|contact torque|, |free torque|, the scale above times the
///                                   body's radius of gyration)
///   gamma |P(lambda - u/gamma) - lambda| <= tolerance max(K |v of its bodies|, 10 |f_b|/a_b)
///
/// of rigid contacts. A robot's coordinates k are judged one by one, in units of sqrt(A_kk), on the
/// largest of its contact forces and free forces in the same units. An error counts as zero if it
/// changes the velocity by less than 1e-12 m/s (or unit of the coordinate per second), and if it is
/// the rounding of contact forces that cancel.
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

  /// Largest error of force and torque. @param residual  A v - b - J^T lambda [N]
  BodyError of_momentum(const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& residual) const;
  /// Largest error of the law of rigid contacts. @param v  [n_row] [m/s]
  BodyError of_law(const CommonOptions& options, const std::vector<Vec3d>& v,
                   const std::vector<Vec3d>& lambda) const;
  /// Speed that the forces of a contact are compared with: the largest |v_start| and |f_b|/a_b of
  /// the bodies that contacts connect with its own [m/s]; 0 if nothing can rest on it
  double speed(int m) const;
  /// Largest ratio of the masses of two bodies that touch; robots do not count.
  double mass_ratio() const;
  /// Largest eigenvalue of J A^-1 J^T of a contact between rigid bodies, robots and the world;
  /// 0 for others [m/(N s)].
  double compliance(int m) const { return compliance_[m]; }

 private:
  struct Sums {
    Vec3d force{}, torque{};  ///< torque about the centre
    double pressing = 0;      ///< sum of the norms
  };

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
  std::vector<double> compliance_;     ///< [n_contact]
  std::vector<Vec3d> free_;            ///< [n_row]
  std::vector<Sums> free_sums_;        ///< [n_body]
};

/// b + J^T lambda - A v of one environment, with one product. @return [n_row] [N]
std::vector<Vec3d> force_residual(const ContactProblem& problem, const std::vector<Vec3d>& v,
                                  const std::vector<Vec3d>& lambda, int n_thread);

/// Error of a solution of one environment.
/// @param start  velocity at the start of the solve; empty: zero [m/s]
BodyError body_error(const ContactProblem& problem, const CommonOptions& options,
                     const std::vector<Vec3d>& start, const std::vector<Vec3d>& v,
                     const std::vector<Vec3d>& lambda);

}  // namespace nodia
