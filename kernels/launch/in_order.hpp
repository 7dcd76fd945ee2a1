/// Kernels over the same items, combined in one launch.
#pragma once

#include "kernels/launch/kernel.hpp"
#include "kernels/launch/resident_blocks.hpp"

namespace nodia {

namespace detail {

template <class First, class Second>
union SharedInTurn {
  First first;
  Second second;
};

}  // namespace detail

/// Runs the phases of First, then those of Second. An item of Second may read only what the same
/// item of First wrote. Both are enabled for the same items, or are WhereEnabled.
template <class First, class Second>
struct InOrder {
  First first;
  Second second;

  using Shared = detail::SharedInTurn<typename First::Shared, typename Second::Shared>;
  static constexpr int kLeastResidentBlocks = least_resident_blocks<First>() > 0
                                                  ? least_resident_blocks<First>()
                                                  : least_resident_blocks<Second>();
  static constexpr int kPhases = First::kPhases + Second::kPhases;
  static constexpr PhaseShape shape(int phase) {
    return phase < First::kPhases ? First::shape(phase) : Second::shape(phase - First::kPhases);
  }

  static constexpr int n_alike(int phase) {
    return phase < First::kPhases ? nodia::n_alike<First>(phase)
                                  : nodia::n_alike<Second>(phase - First::kPhases);
  }

  static constexpr bool is_repeated(int phase) {
    return phase < First::kPhases ? nodia::is_repeated<First>(phase)
                                  : nodia::is_repeated<Second>(phase - First::kPhases);
  }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    return first.enabled(item, memory) || second.enabled(item, memory);
  }
  template <int phase, class Memory>
  NODIA_HD int n_lane(int item, int round, Memory memory) const {
    if constexpr (phase < First::kPhases)
      return first.template n_lane<phase>(item, round, memory);
    else
      return second.template n_lane<phase - First::kPhases>(item, round, memory);
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase < First::kPhases)
      first.template run<phase, Isa>(item, lane, shared.first, memory);
    else
      second.template run<phase - First::kPhases, Isa>(item, lane, shared.second, memory);
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run_alike(int item, int lanes, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase < First::kPhases)
      first.template run_alike<phase, Isa>(item, lanes, lane, shared.first, memory);
    else
      second.template run_alike<phase - First::kPhases, Isa>(item, lanes, lane, shared.second,
                                                             memory);
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run_round(int item, int round, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase < First::kPhases)
      first.template run_round<phase, Isa>(item, round, lane, shared.first, memory);
    else
      second.template run_round<phase - First::kPhases, Isa>(item, round, lane, shared.second,
                                                             memory);
  }
};

/// Kernel that evaluates enabled() in every phase. No phase may change its result.
template <class Kernel>
struct WhereEnabled : Kernel {
  using typename Kernel::Shared;

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    if (Kernel::enabled(item, memory)) Kernel::template run<phase, Isa>(item, lane, shared, memory);
  }
  template <int first, class Isa, class Memory>
  NODIA_HD void run_alike(int item, int lanes, int lane, Shared& shared, Memory memory) const {
    if (Kernel::enabled(item, memory))
      Kernel::template run_alike<first, Isa>(item, lanes, lane, shared, memory);
  }
};

}  // namespace nodia
