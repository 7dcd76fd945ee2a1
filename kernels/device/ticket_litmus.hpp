/// Stress test of the tickets by which blocks find the last one of a group (phase_launch.cuh).
///
/// In every round, each item first loads all words of its group, which puts copies of them into the
/// first-level cache. Then it stores the round's number into its own words. The block that takes
/// the group's last ticket counts the words that do not hold the round's number: with correct
/// tickets there are none. A negative control omits the release or the acquire. It must find such
/// words, otherwise the test cannot see the error that it looks for.
#pragma once

#include <cstdint>

namespace nodia {

enum class Tickets { ordered, without_release, without_acquire };

/// Grid of a launch and the groups of its items.
struct TicketShape {
  int n_block = 1, n_group = 1, group_size = 1;
};

struct TicketFindings {
  std::int64_t n_stale = 0;       ///< words without the round's number that a deciding block saw
  std::int64_t n_miscounted = 0;  ///< missing or superfluous decisions
};

/// Runs the rounds in one recorded loop of the current device. Needs can_record_loops.
TicketFindings run_ticket_litmus(Tickets tickets, const TicketShape& shape, int n_round);

}  // namespace nodia
