/// Sweeps over the contacts on the Delassus operator, for cases in which smoothing and Newton steps
/// make no progress. Each contact is solved exactly with all bodies behind it. Sweeps approach the
/// solution from any start but slowly; Newton steps on the law itself finish.
#pragma once

#include <memory>

#include "host/solvers/delassus/operator.hpp"
#include "host/solvers/newton/relative_system.hpp"
#include "host/solvers/options.hpp"

namespace nodia {

class Safeguard {
 public:
  /// @param options  kept by reference, like the system
  Safeguard(const RelativeSystem& system, const CommonOptions& options)
      : system_(system), options_(options) {}

  /// Runs sweeps of projected Gauss-Seidel, fewer if there are many contacts.
  /// @param y       out: velocities that the forces cause [m/s]
  /// @param lambda  in and out [N]
  /// @return false without changes if there are too many contacts for a dense operator
  bool sweep(int n_sweep, std::vector<Vec3d>* y, std::vector<Vec3d>* lambda);
  /// Multiply-adds of all sweeps.
  double multiply_adds() const { return multiply_adds_; }

 private:
  const RelativeSystem& system_;
  const CommonOptions& options_;
  std::unique_ptr<DelassusOperator> delassus_;  ///< made by the first call of sweep()
  double multiply_adds_ = 0;
};

}  // namespace nodia
