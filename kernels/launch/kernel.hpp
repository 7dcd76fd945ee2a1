/// Interface of a kernel. One source runs on the device, on the CPU and in the race detector of the
/// tests (tests/devices/race_detector).
///
/// A kernel is plain data with
///
///   struct Shared;                            shared memory of a block's lanes
///   static constexpr int kPhases;             number of phases, separated by barriers
///   static constexpr PhaseShape shape(int);   lanes of a phase
///   bool enabled(int item, Memory) const;     false: skip the item
///   template <int phase, class Isa, class Memory>
///   void run(int item, int lane, Shared&, Memory) const;
///
/// Phases that differ only in their lanes, each with half of the previous, can be compiled once:
///
///   static constexpr int n_alike(int phase);  number of such phases from `phase` on; 1: none
///   template <int first, class Isa, class Memory>
///   void run_alike(int item, int lanes, int lane, Shared&, Memory) const;
///                                             runs the phase with `lanes` lanes,
///                                             one of the n_alike(first)
///
/// An item can repeat or skip phases, with a barrier after each round:
///
///   static constexpr bool is_repeated(int phase);
///   template <int phase, class Memory>
///   int n_lane(int item, int round, Memory) const;
///                                             lanes of a round: whole packs, at most those of the
///                                             phase; 0: no more rounds. Reads nothing that the
///                                             launch writes
///   template <int phase, class Isa, class Memory>
///   void run_round(int item, int round, int lane, Shared&, Memory) const;   replaces run
///
/// A block processes one item at a time and runs its phases with lanes 0 .. shape(phase).lanes - 1.
/// Within a phase no lane reads what another lane writes, neither in Shared nor in global memory.
/// Blocks see only writes from before the launch. A packed phase receives Isa::kLanes consecutive
/// lanes in one call; `lane` is the first. All memory that a lane or another kernel writes is
/// accessed through Memory (memory.hpp).
#pragma once

#include <type_traits>
#include <utility>

#include "kernels/launch/memory.hpp"

namespace nodia {

/// Threads of a block, and rows of a chunk: the unit of work and of ordered sums. The results
/// depend on it; it is not a tuning parameter.
inline constexpr int kBlockLanes = 256;

/// Items of a kernel whose lanes are the elements 0 .. n - 1.
NODIA_HD int item_count(int n) {
  return n / kBlockLanes + (n % kBlockLanes != 0 ? 1 : 0);
}

struct PhaseShape {
  int lanes = kBlockLanes;
  bool packed = true;  ///< run() processes packs; false: one lane at a time
};

/// Number of phases from `phase` on that differ only in their lanes.
template <class Kernel>
constexpr int n_alike(int phase) {
  if constexpr (requires { Kernel::n_alike(phase); })
    return Kernel::n_alike(phase);
  else
    return 1;
}

/// True if items repeat the phase.
template <class Kernel>
constexpr bool is_repeated(int phase) {
  if constexpr (requires { Kernel::is_repeated(phase); })
    return Kernel::is_repeated(phase);
  else
    return false;
}

/// Empty shared memory.
struct NoShared {};

/// Runs one item on one CPU thread: phases in order, lanes ascending.
template <class Isa, class Kernel>
void run_item(const Kernel& kernel, int item) {
  const DirectMemory memory;
  if (!kernel.enabled(item, memory)) return;
  alignas(64) typename Kernel::Shared shared;
  // The kernel is an argument, so that is_repeated is not instantiated for kernels without rounds.
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
