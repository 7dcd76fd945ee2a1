/// Status at the end of an iteration, and its stopping rule, for every solver.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/core/words.hpp"

namespace nodia {

enum class SolveStatus : std::uint8_t {
  converged,
  iteration_limit,
  stalled,
  diverged,
  infeasible,
  not_a_number,
  failed  ///< solved, but a body tunnelled through a surface in the step (host/simulation)
};
constexpr auto words_of(SolveStatus) {
  return std::array{Word{SolveStatus::converged, "converged"},
                    Word{SolveStatus::iteration_limit, "iteration_limit"},
                    Word{SolveStatus::stalled, "stalled"},
                    Word{SolveStatus::diverged, "diverged"},
                    Word{SolveStatus::infeasible, "infeasible"},
                    Word{SolveStatus::not_a_number, "not_a_number"},
                    Word{SolveStatus::failed, "failed"}};
}

/// True if a step with this status has no solution or a wrong one, so that its run has failed. With
/// the other statuses (iteration_limit, stalled, infeasible) a step has the best solution found.
constexpr bool is_failure(SolveStatus status) {
  return status == SolveStatus::diverged || status == SolveStatus::not_a_number ||
         status == SolveStatus::failed;
}

/// residual: the relative residual of the dynamics and the natural-map error of the contacts are at
/// most the tolerance [-]. paper: |v_new - v_old| is at most the tolerance [m/s]. energy: the
/// estimate of |v - v_exact|_A/|v|_A is at most the tolerance [-]. automatic: the solver's default.
enum class StopRule : std::uint8_t { residual, paper, energy, automatic };
constexpr auto words_of(StopRule) {
  return std::array{Word{StopRule::residual, "residual"}, Word{StopRule::paper, "paper"},
                    Word{StopRule::energy, "energy"}, Word{StopRule::automatic, "auto"}};
}

}  // namespace nodia
