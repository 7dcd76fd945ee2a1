/// What follows from all items of a kernel, without a launch of its own where the launcher can do
/// that: the block that ends last decides.
///
/// A decision of groups is a kernel whose items are the groups 0, 1, ... of another kernel's items:
///
///   int group_of(int item, Memory) const     the group that the other kernel's item belongs to
///   int group_size(int group) const          its items
///   std::int32_t* ticket(int group) const    in the backend's memory; zero between launches
///
/// It begins when all items of its group have ended, and sees what they wrote. Items of other
/// groups may still run: what it writes they neither read nor write. Whether it is enabled() for a
/// group is asked behind the group's items, and nothing but the decision changes it.
///
/// A decision at the end is a kernel of one item with a ticket(). It begins when all items have
/// ended, and may change their number.
#pragma once

#include <cstdint>

#include "kernels/core/macros.hpp"

namespace nodia {

/// One block's part of a launch with the decision of groups: run(item) of its items block, block +
/// n_block, ..., and ended(group) behind the last of them that are one group's in a row.
template <class GroupOf, class Run, class Ended>
NODIA_HD void run_in_groups(int block, int n_block, int n_item, const GroupOf& group_of,
                            const Run& run, const Ended& ended) {
  for (int item = block; item < n_item; item += n_block) {
    run(item);
    // Asked anew: kept while the item runs it would take a register of the device.
    const int group = group_of(item);
    if (item + n_block >= n_item || group_of(item + n_block) != group) ended(group);
  }
}

/// Launches a kernel with the decision of its groups.
/// @param n_item   items of the kernel, as launch() takes them
/// @param n_group  groups, likewise; each is decided where the decision is enabled for it
template <class Launcher, class Kernel, class Count, class Decision>
void launch_then(Launcher& launcher, const char* name, const Kernel& kernel, Count n_item,
                 const char* decision_name, const Decision& decision, Count n_group) {
  if constexpr (requires { launcher.launch_then(name, kernel, n_item, decision_name, decision); }) {
    launcher.launch_then(name, kernel, n_item, decision_name, decision);
  } else {
    launcher.launch(name, kernel, n_item);
    launcher.launch(decision_name, decision, n_group);
  }
}

/// Launches a kernel with the decision at its end.
template <class Launcher, class Kernel, class Count, class Decision>
void launch_last(Launcher& launcher, const char* name, const Kernel& kernel, Count n_item,
                 const char* decision_name, const Decision& decision) {
  if constexpr (requires { launcher.launch_last(name, kernel, n_item, decision_name, decision); }) {
    launcher.launch_last(name, kernel, n_item, decision_name, decision);
  } else {
    launcher.launch(name, kernel, n_item);
    launcher.launch(decision_name, decision, 1);
  }
}

}  // namespace nodia
