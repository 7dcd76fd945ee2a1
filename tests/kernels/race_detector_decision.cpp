/// Decisions by the block that ends last, while blocks of other groups go on: what they may see and
/// write (kernels/launch/decision.hpp), by the race detector.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/core/error.hpp"
#include "kernels/launch/decision.hpp"
#include "tests/devices/race_detector/launcher.hpp"

namespace nodia {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr int kLanes = 4;

/// Groups of 1, 2, 3, ... items; every item leaves a term, every decision the sum of its group's.
struct Groups {
  std::vector<int> group, first, size, term, sum, order;
  std::int32_t n_item = 0, n_group = 0;

  explicit Groups(int n) : sum(n, -1), order(n, -1), n_group(n) {
    for (int g = 0; g < n; ++g) {
      first.push_back(n_item);
      size.push_back(g + 1);
      group.insert(group.end(), g + 1, g);
      n_item += g + 1;
    }
    term.assign(n_item, -1);
  }
  int wanted(int g) const {
    int all = 0;
    for (int k = 0; k < size[g]; ++k) all += 10 * (first[g] + k) + 1;
    return all;
  }
};

struct NoFault {
  template <class Memory>
  static void item(Groups*, int, Memory) {}
  template <class Memory>
  static void decision(Groups*, int, Memory) {}
};

template <class Fault>
struct LeaveTerm {
  Groups* g;
  struct Shared {
    int part[kLanes];
  };
  static constexpr int kPhases = 2;
  static constexpr PhaseShape shape(int phase) { return {phase == 0 ? kLanes : 1, false}; }
  template <class Memory>
  bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class Isa, class Memory>
  void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      memory.write(&shared.part[lane], lane == 0 ? 10 * item : lane == 1 ? 1 : 0);
      if (lane == 0) Fault::item(g, item, memory);
    } else {
      int all = 0;
      for (int l = 0; l < kLanes; ++l) all += memory.read(&shared.part[l]);
      memory.write(&g->term[item], all);
    }
  }
};

template <class Fault>
struct SumOfGroup {
  Groups* g;
  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {1, false}; }
  template <class Memory>
  int group_of(int item, Memory) const {
    return g->group[item];
  }
  int group_size(int group) const { return g->size[group]; }
  template <class Memory>
  bool enabled(int group, Memory) const {
    return group != 1;
  }
  template <int phase, class Isa, class Memory>
  void run(int group, int, Shared&, Memory memory) const {
    int all = 0;
    for (int k = 0; k < g->size[group]; ++k) all += memory.read(&g->term[g->first[group] + k]);
    memory.write(&g->sum[group], all);
    Fault::decision(g, group, memory);
  }
};

template <class Fault>
void launch_groups(Groups* groups, std::uint64_t seed, int n_block) {
  RaceDetector launcher({.seed = seed, .n_block = n_block});
  launch_then(launcher, "leave_term", LeaveTerm<Fault>{groups}, &groups->n_item, "sum_of_group",
              SumOfGroup<Fault>{groups}, &groups->n_group);
}

template <class Fault>
std::string fault_of() {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Groups groups(5);
    try {
      launch_groups<Fault>(&groups, seed, 4);
    } catch (const RuntimeError& error) {
      return error.what();
    }
  }
  return "no fault";
}

TEST(RaceDetectorDecision, EveryGroupThatIsEnabledIsDecidedOnWhenItsItemsHaveEnded) {
  for (const int n_block : {1, 3, 40})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      Groups groups(6);
      launch_groups<NoFault>(&groups, seed, n_block);
      for (int g = 0; g < 6; ++g) EXPECT_EQ(groups.sum[g], g == 1 ? -1 : groups.wanted(g));
    }
}

/// Logs past the launcher's eyes.
struct Logs {
  template <class Memory>
  static void item(Groups* g, int, Memory) {
    ++g->n_group;
  }
  template <class Memory>
  static void decision(Groups* g, int group, Memory) {
    g->order[group] = g->n_group;
  }
};

TEST(RaceDetectorDecision, OtherGroupsGoOnWhileOneIsDecidedOn) {
  Groups groups(6);
  groups.n_group = 0;
  launch_groups<Logs>(&groups, 3, 4);
  EXPECT_LT(*std::min_element(groups.order.begin() + 2, groups.order.end()), groups.n_item);
}

/// A decision changes what all items read.
struct ItemsReadTheSum {
  template <class Memory>
  static void item(Groups* g, int, Memory memory) {
    memory.read(&g->order[2]);
  }
  template <class Memory>
  static void decision(Groups* g, int group, Memory memory) {
    if (group == 2) memory.write(&g->order[2], 7);
  }
};
/// Items of the group alone read it.
struct OwnItemsReadTheSum {
  template <class Memory>
  static void item(Groups* g, int item, Memory memory) {
    if (g->group[item] == 2) memory.read(&g->order[2]);
  }
  template <class Memory>
  static void decision(Groups* g, int group, Memory memory) {
    ItemsReadTheSum::decision(g, group, memory);
  }
};
/// Two items of the group read it before one of another does: three readers.
struct OneOtherItemReadsTheSum {
  template <class Memory>
  static void item(Groups* g, int item, Memory memory) {
    if (g->group[item] == 2 || item == 9) memory.read(&g->order[2]);
  }
  template <class Memory>
  static void decision(Groups* g, int group, Memory memory) {
    ItemsReadTheSum::decision(g, group, memory);
  }
};
/// A decision reads a term of the next group.
struct ReadsANeighboursTerm {
  template <class Memory>
  static void item(Groups*, int, Memory) {}
  template <class Memory>
  static void decision(Groups* g, int group, Memory memory) {
    if (group == 2) memory.read(&g->term[g->first[3]]);
  }
};
/// Two decisions write one place.
struct DecisionsWriteOnePlace {
  template <class Memory>
  static void item(Groups*, int, Memory) {}
  template <class Memory>
  static void decision(Groups* g, int group, Memory memory) {
    memory.write(&g->order[0], group);
  }
};
/// Blocks that start later would read another number.
struct ChangesTheNumberOfItems {
  template <class Memory>
  static void item(Groups*, int, Memory) {}
  template <class Memory>
  static void decision(Groups* g, int group, Memory memory) {
    if (group == 4) memory.write(&g->n_item, g->n_item);
  }
};

TEST(RaceDetectorDecision, SeesAndChangesWhatItsOwnGroupUsed) {
  EXPECT_EQ(fault_of<NoFault>(), "no fault");
  EXPECT_EQ(fault_of<OwnItemsReadTheSum>(), "no fault");
}
TEST(RaceDetectorDecision, MayNotChangeWhatItemsOfOtherGroupsRead) {
  EXPECT_THAT(fault_of<ItemsReadTheSum>(), HasSubstr("the decision of group 2"));
  EXPECT_THAT(fault_of<OneOtherItemReadsTheSum>(), HasSubstr("the decision of group 2"));
}
TEST(RaceDetectorDecision, MayNotReadWhatItemsOfOtherGroupsWrite) {
  EXPECT_THAT(fault_of<ReadsANeighboursTerm>(),
              AllOf(HasSubstr("leave_term"), HasSubstr("the decision of group 2")));
}
TEST(RaceDetectorDecision, MayNotWriteWhereAnotherDecisionDoes) {
  EXPECT_THAT(fault_of<DecisionsWriteOnePlace>(), HasSubstr("the decision of group"));
}
TEST(RaceDetectorDecision, MayNotChangeTheNumberOfItems) {
  EXPECT_THAT(fault_of<ChangesTheNumberOfItems>(), HasSubstr("the launch (its number of items)"));
}

}  // namespace
}  // namespace nodia
