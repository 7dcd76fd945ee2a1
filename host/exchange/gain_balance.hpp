/// Adjusts the coupling stiffness of COND's contact nodes during a solve.
#pragma once

#include <algorithm>
#include <cmath>

#include "host/solvers/cond/options.hpp"
#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// A high coupling stiffness makes the bias of contact nodes small and the dynamics slow to
/// converge, a low one the reverse. The best value depends on the number of contacts per body and
/// on their coupling. The solver therefore runs for a few hundred iterations at a time. After a run
/// that reached its iteration limit, the stiffness moves against the larger of the two errors, by
/// less after each change of direction.
class GainBalance {
 public:
  static constexpr int kFirstSpell = 300;
  static constexpr double kSpellGrowth = 1.3;
  static constexpr double kImbalance = 3;  ///< ratio of the errors below which the stiffness stays
  static constexpr double kFirstFactor = 4;
  static constexpr double kLeastGain = 1e-2, kLargestGain = 1e4;

  explicit GainBalance(const SolverOptions& options, bool has_points)
      : acts_(options.solver == "cond" && has_points &&
              options.of<CondOptions>().virtual_gain_N_s_m == 0),
        gain_(options.of<CondOptions>().virtual_gain) {}

  /// Options of the next run. @param left  remaining iterations
  void prepare(SolverOptions* options, int left) const {
    options->max_iterations = acts_ ? std::min(left, static_cast<int>(spell_)) : left;
    options->of<CondOptions>().virtual_gain = gain_;
  }
  /// Adjusts the stiffness after a run. @return true if another run follows because this one was
  /// cut short
  bool cut_short(const SolveReport& report) {
    if (!acts_ || report.status != SolveStatus::iteration_limit) return false;
    spell_ *= kSpellGrowth;
    const double contact = report.natural_map_error, dynamics = report.relative_residual;
    if (contact > kImbalance * dynamics)
      move(1);
    else if (dynamics > kImbalance * contact)
      move(-1);
    return true;
  }

 private:
  void move(int direction) {
    if (direction == -last_direction_) factor_ = std::sqrt(factor_);
    last_direction_ = direction;
    gain_ = std::clamp(gain_ * std::pow(factor_, direction), kLeastGain, kLargestGain);
  }

  bool acts_;
  double gain_;
  double spell_ = kFirstSpell;
  double factor_ = kFirstFactor;
  int last_direction_ = 0;
};

}  // namespace nodia
