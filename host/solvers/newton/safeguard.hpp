/// Where smoothing and Newton steps make no progress: sweeps over the contacts on the Delassus
/// operator, which solve each one exactly with all bodies behind it. They need many sweeps to an
/// accurate answer and come near it from anywhere; Newton steps on the law itself do the rest.
#pragma once

#include <memory>

#include "host/solvers/delassus/operator.hpp"
#include "host/solvers/newton/relative_system.hpp"
#include "host/solvers/options.hpp"

namespace nodia {

class Safeguard {
 public:
  /// @param options  kept by reference, as the system is
  Safeguard(const RelativeSystem& system, const CommonOptions& options)
      : system_(system), options_(options) {}

  /// Sweeps of projected Gauss-Seidel, fewer where there are many contacts.
  /// @param y       out: the velocities that the forces cause [m/s]
  /// @param lambda  in and out [N]
  /// @return false where there are too many contacts for a dense operator: nothing has changed
  bool sweep(int n_sweep, std::vector<Vec3d>* y, std::vector<Vec3d>* lambda);
  /// Of all sweeps.
  double multiply_adds() const { return multiply_adds_; }

 private:
  const RelativeSystem& system_;
  const CommonOptions& options_;
  std::unique_ptr<DelassusOperator> delassus_;  ///< made by the first sweeps
  double multiply_adds_ = 0;
};

}  // namespace nodia
