/// How an iteration may end, and the rule by which it does: of every solver.
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
  failed  ///< solved, but the step carried a body through a surface (host/simulation)
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

/// Whether a step that ends so has no answer or a wrong one, so that a run which holds it has
/// failed. The others (iteration_limit, stalled, infeasible) have the best one that was found.
constexpr bool is_failure(SolveStatus status) {
  return status == SolveStatus::diverged || status == SolveStatus::not_a_number ||
         status == SolveStatus::failed;
}

/// residual: relative residual of the dynamics and natural-map error of the contacts, both at most
/// the tolerance [-]; paper: |v_new - v_old| at most the tolerance [m/s]; energy: the estimate of
/// |v - v_exact|_A/|v|_A at most the tolerance [-]; automatic: the solver's own.
enum class StopRule : std::uint8_t { residual, paper, energy, automatic };
constexpr auto words_of(StopRule) {
  return std::array{Word{StopRule::residual, "residual"}, Word{StopRule::paper, "paper"},
                    Word{StopRule::energy, "energy"}, Word{StopRule::automatic, "auto"}};
}

}  // namespace nodia
