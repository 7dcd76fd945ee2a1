/// Projected smoothing: a step of V-FPI with a block W, in relative coordinates, in which contacts
/// of their own on a row are solved exactly.
///
///   y* = y - W (K y - b),   y = y* + W J^T lambda
///
///   W = omega (3/tr D) 1 on rows in contact, omega D^-1 on other rows of soft bodies and cables,
///   0 on rigid bodies and robots;  D the diagonal blocks of K, omega = 1/(1.05 lambda_max(W K))
///
/// Single contacts take the one shot (Lee et al., Alg. 2). Coupled ones go on from their last
/// forces, in sweeps in the order of the contacts. Those between rigid bodies are left alone:
/// sweeps would destroy the distribution of forces where it is not unique.
#pragma once

#include "host/solvers/newton/relative_system.hpp"
#include "kernels/cpu/isa.hpp"
#include "kernels/newton/smoothing.hpp"

namespace nodia {

class Smoothing {
 public:
  /// @param direction  start of the power iteration, in and out; empty: none known
  Smoothing(const RelativeSystem& system, Projection projection, double invertible_omega,
            std::vector<Vec3d>* direction);
  Smoothing(const Smoothing&) = delete;
  Smoothing& operator=(const Smoothing&) = delete;

  /// One smoothing.
  /// @param y       [m/s]
  /// @param g       K y - b, kept so [N]
  /// @param lambda  [N]
  void run(std::vector<Vec3d>* y, std::vector<Vec3d>* g, std::vector<Vec3d>* lambda);
  /// The arrays of a smoothing of (y, g, lambda), for launches.
  SmoothingView view(std::vector<Vec3d>* y, std::vector<Vec3d>* g, std::vector<Vec3d>* lambda);
  /// W x; W as above without omega.
  void apply(const std::vector<Vec3d>& x, std::vector<Vec3d>* product) const;

  /// gamma_0: the largest eigenvalue of J W J^T, W without omega; of a rigid contact that of its
  /// bodies' dense inverses [m/(N s)].
  double compliance(int m) const { return compliance_[m]; }
  double lambda_max() const { return lambda_max_; }
  /// sqrt(sum gamma |lambda change|^2) of the coupled contacts over the sweeps of the last run: in
  /// the A-norm's unit.
  double sweep_change() const { return sweep_change_; }
  /// As if the last run had changed nothing.
  void forget_sweeps() { sweep_change_ = 0; }

 private:
  void set_compliance();
  void estimate_lambda_max(std::vector<Vec3d>* direction);
  void set_view();

  const RelativeSystem& system_;
  SmoothingView view_;  ///< without y, g, lambda; points into what follows
  CpuIsa isa_ = chosen_isa();
  std::vector<double> w_;       ///< per row in contact 3/tr D; 0 elsewhere
  std::vector<Mat3d> inverse_;  ///< per row in no contact D^-1; 0 elsewhere
  std::vector<double> compliance_;
  std::vector<std::int32_t> single_, coupled_;
  std::vector<Vec3d> before_;
  double lambda_max_ = 0, sweep_change_ = 0;
};

}  // namespace nodia
