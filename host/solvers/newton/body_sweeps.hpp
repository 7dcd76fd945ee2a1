/// Sweeps over the contacts of rigid bodies and robots, if A is one block per body. The sweeps
/// update the bodies' velocities, so that a contact costs only the rows of its bodies, and no
/// Delassus operator is needed.
#pragma once

#include "host/solvers/newton/body_inverses.hpp"
#include "host/solvers/newton/relative_system.hpp"

namespace nodia {

class BodySweeps {
 public:
  /// True if every block of A is of one rigid body or robot, and the law is the strict one.
  static bool fits(const RelativeSystem& system, Projection projection);

  /// @param system  kept by reference
  BodySweeps(const RelativeSystem& system, double invertible_omega);

  /// y = A^-1 (b + J^T lambda)
  void set_velocity(const std::vector<Vec3d>& lambda, std::vector<Vec3d>* y);
  /// Solves one contact after the other exactly, forwards and backwards in turn, until the forces
  /// change by less than `enough` of their size, in sqrt(sum D |lambda|^2).
  /// @param y  out: the velocity that the forces cause
  void run(int n_sweep, double enough, std::vector<Vec3d>* y, std::vector<Vec3d>* lambda);
  /// Multiply-adds of all sweeps.
  double multiply_adds() const;

 private:
  const RelativeSystem& system_;
  double invertible_omega_;
  BodyInverses inverses_;
  std::vector<Mat3d> D_;             ///< [n_contact] J A^-1 J^T + omega
  std::vector<std::int32_t> first_;  ///< [n_contact + 1] into row_ and column_
  std::vector<std::int32_t> row_;    ///< all rows of the contact's bodies
  std::vector<Mat3d> column_;        ///< A^-1 J^T
  int n_sweep_ = 0;
};

}  // namespace nodia
