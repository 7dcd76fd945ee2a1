/// Projected smoothing: a step of V-FPI with a block W, in relative coordinates, that solves
/// contacts with their own row exactly.
///
///   y* = y - W (K y - b),   y = y* + W J^T lambda
///
///   W = omega (3/tr D) 1 on rows with contacts, omega D^-1 on other soft and cable rows,
///   0 on rigid bodies and robots;  D the diagonal blocks of K, omega = 1/(1.05 lambda_max(W K))
///
/// Single contacts use the one-shot solve (Lee et al., Alg. 2). Those of class `coupled` continue
/// from their last forces, in sweeps in contact order. Contacts between rigid bodies are unchanged:
/// sweeps would destroy the distribution of forces if it is not unique.
#pragma once

#include "host/solvers/newton/relative_system.hpp"
#include "kernels/cpu/isa.hpp"
#include "kernels/newton/smoothing.hpp"

namespace nodia {

class Smoothing {
 public:
  /// @param direction  initial vector of the power iteration, in and out; empty: none
  Smoothing(const RelativeSystem& system, Projection projection, double invertible_omega,
            std::vector<Vec3d>* direction);
  Smoothing(const Smoothing&) = delete;
  Smoothing& operator=(const Smoothing&) = delete;

  /// Smooths once.
  /// @param y       [m/s]
  /// @param g       K y - b, updated [N]
  /// @param lambda  [N]
  void run(std::vector<Vec3d>* y, std::vector<Vec3d>* g, std::vector<Vec3d>* lambda);
  /// Arrays of a smoothing of (y, g, lambda), for launches.
  SmoothingView view(std::vector<Vec3d>* y, std::vector<Vec3d>* g, std::vector<Vec3d>* lambda);
  /// W x, with W as above without omega.
  void apply(const std::vector<Vec3d>& x, std::vector<Vec3d>* product) const;

  /// gamma_0: largest eigenvalue of J W J^T, W without omega; for a rigid contact by the dense
  /// inverses of its bodies [m/(N s)].
  double compliance(int m) const { return compliance_[m]; }
  double lambda_max() const { return lambda_max_; }
  /// sqrt(sum gamma |lambda change|^2) of class `coupled` in the last run, in the A-norm's unit.
  double sweep_change() const { return sweep_change_; }
  /// Sets sweep_change() to zero.
  void forget_sweeps() { sweep_change_ = 0; }

 private:
  void set_compliance();
  void estimate_lambda_max(std::vector<Vec3d>* direction);
  void set_view();

  const RelativeSystem& system_;
  SmoothingView view_;  ///< without y, g, lambda; points into the members below
  CpuIsa isa_ = chosen_isa();
  std::vector<double> w_;       ///< [n_row] 3/tr D with contacts; else 0
  std::vector<Mat3d> inverse_;  ///< [n_row] D^-1 without contacts; else 0
  std::vector<double> compliance_;
  std::vector<std::int32_t> single_, coupled_;
  std::vector<Vec3d> before_;
  double lambda_max_ = 0, sweep_change_ = 0;
};

}  // namespace nodia
