/// Decisions over all items of a kernel. If the launcher supports it, the block that ends last
/// decides, without another launch.
///
/// A decision of groups is a kernel whose items are the groups 0, 1, ... of another kernel's items:
///
///   int group_of(int item, Memory) const     group of an item of the other kernel
///   int group_size(int group) const          items of the group
///   std::int32_t* ticket(int group) const    in the backend's memory; zero between launches
///
/// It begins when all items of its group have ended, and sees their writes. Items of other groups
/// may still run, and must not access what the decision writes. enabled() of a group is evaluated
/// after the group's items, and only the decision changes its result.
///
/// A decision at the end is a kernel of one item with a ticket(). It begins when all items have
/// ended, and may change their number.
#pragma once

#include <cstdint>

#include "kernels/core/macros.hpp"

namespace nodia {

/// Runs the items block, block + n_block, ... of one block with run(item), and ended(group) after
/// the last of consecutive items of a group.
template <class GroupOf, class Run, class Ended>
NODIA_HD void run_in_groups(int block, int n_block, int n_item, const GroupOf& group_of,
                            const Run& run, const Ended& ended) {
  for (int item = block; item < n_item; item += n_block) {
    run(item);
    // Computed twice, because keeping the value while the item runs costs a register.
    const int group = group_of(item);
    if (item + n_block >= n_item || group_of(item + n_block) != group) ended(group);
  }
}

/// Launches a kernel with the decision of its groups.
/// @param n_item   items of the kernel, in the form of launch()
/// @param n_group  groups, in the same form; decided if the decision is enabled for them
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

/// Launches a kernel with a decision at its end.
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
