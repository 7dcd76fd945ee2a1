/// What a kernel is. Written once; the device, the CPU and the race detector of the tests
/// (tests/devices/race_detector) only run it.
///
/// A kernel is plain data with
///
///   struct Shared;                            what the lanes of a block share
///   static constexpr int kPhases;             phases, in order, with a barrier between any two
///   static constexpr PhaseShape shape(int);   lanes of a phase
///   bool enabled(int item, Memory) const;     false: the item has nothing to do
///   template <int phase, class Isa, class Memory>
///   void run(int item, int lane, Shared&, Memory) const;
///
/// It may name phases that are alike but for their lanes, each with half of those before it, so
/// that they need not be compiled one by one:
///
///   static constexpr int n_alike(int phase);  phases from `phase` on that are; 1: none
///   template <int first, class Isa, class Memory>
///   void run_alike(int item, int lanes, int lane, Shared&, Memory) const;
///                                             that of `lanes` lanes, of the phases from `first` on
///
/// And phases that an item repeats, or leaves out, with a barrier after each round:
///
///   static constexpr bool is_repeated(int phase);
///   template <int phase, class Memory>
///   int n_lane(int item, int round, Memory) const;
///                                             of a round, whole packs, at most those of the phase;
///                                             0: there are no more rounds. Reads nothing that the
///                                             launch writes
///   template <int phase, class Isa, class Memory>
///   void run_round(int item, int round, int lane, Shared&, Memory) const;   in the place of run
///
/// A block takes one item at a time and runs its phases with lanes 0 .. shape(phase).lanes - 1. Of
/// lanes in one phase none reads what another writes, neither in Shared nor in global memory;
/// blocks see of each other only what was written before the launch. A packed phase gets
/// Isa::kLanes consecutive lanes in one call, `lane` being the first. All memory that any lane
/// writes is reached through Memory (memory.hpp); so is all memory that another kernel writes.
#pragma once

#include <type_traits>
#include <utility>

#include "kernels/launch/memory.hpp"

namespace nodia {

/// Threads of a block, and rows of a chunk: the unit of work and of ordered sums. Part of the
/// result, not a tuning knob of one machine.
inline constexpr int kBlockLanes = 256;

/// Items of a kernel whose lanes are the elements 0 .. n - 1.
NODIA_HD int item_count(int n) {
  return n / kBlockLanes + (n % kBlockLanes != 0 ? 1 : 0);
}

struct PhaseShape {
  int lanes = kBlockLanes;
  bool packed = true;  ///< run() takes packs; otherwise one lane at a time
};

/// Phases from `phase` on that are alike.
template <class Kernel>
constexpr int n_alike(int phase) {
  if constexpr (requires { Kernel::n_alike(phase); })
    return Kernel::n_alike(phase);
  else
    return 1;
}

/// Whether the phase is one that items repeat.
template <class Kernel>
constexpr bool is_repeated(int phase) {
  if constexpr (requires { Kernel::is_repeated(phase); })
    return Kernel::is_repeated(phase);
  else
    return false;
}

/// Nothing shared.
struct NoShared {};

/// One item on one CPU thread: phases in order, lanes ascending.
template <class Isa, class Kernel>
void run_item(const Kernel& kernel, int item) {
  const DirectMemory memory;
  if (!kernel.enabled(item, memory)) return;
  alignas(64) typename Kernel::Shared shared;
  // The kernel is an argument, so that one without rounds is not looked through for them.
  const auto run_phase = [&]<int phase, class Own>(std::integral_constant<int, phase>,
                                                   const Own& own) {
    constexpr PhaseShape kShape = Own::shape(phase);
    constexpr bool kPacked = kShape.packed && kShape.lanes >= Isa::kLanes;
    using Taken = std::conditional_t<kPacked, Isa, OneLane>;
    if constexpr (is_repeated<Own>(phase)) {
      int n_lane = 0;
      for (int round = 0; (n_lane = own.template n_lane<phase>(item, round, memory)) > 0; ++round)
        for (int lane = 0; lane < n_lane; lane += Taken::kLanes)
          own.template run_round<phase, Taken>(item, round, lane, shared, memory);
    } else {
      for (int lane = 0; lane < kShape.lanes; lane += Taken::kLanes)
        own.template run<phase, Taken>(item, lane, shared, memory);
    }
  };
  [&]<int... phase>(std::integer_sequence<int, phase...>) {
    (run_phase(std::integral_constant<int, phase>{}, kernel), ...);
  }
  (std::make_integer_sequence<int, Kernel::kPhases>{});
}

}  // namespace nodia
