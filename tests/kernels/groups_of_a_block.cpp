/// What blocks owe the groups of their items (run_in_groups of kernels/launch/decision.hpp): every
/// group is decided once, by the block that ends the last of its items, whatever the order.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "kernels/launch/decision.hpp"

namespace nodia {
namespace {

struct Tickets {
  std::vector<int> group;            ///< of items, ascending
  std::vector<int> size, ended;      ///< of groups: items, and those that have ended
  std::vector<int> ticket, decided;  ///< of groups
  int taken = 0;

  Tickets(int n_group, std::mt19937* generator)
      : size(n_group), ended(n_group), ticket(n_group), decided(n_group) {
    for (int g = 0; g < n_group; ++g) {
      size[g] = 1 + static_cast<int>((*generator)() % 9);
      group.insert(group.end(), size[g], g);
    }
  }
  int n_item() const { return static_cast<int>(group.size()); }

  void run_block(int block, int n_block) {
    int n_ended = 0;
    run_in_groups(
        block, n_block, n_item(), [&](int item) { return group[item]; },
        [&](int item) {
          ++ended[group[item]];
          ++n_ended;
        },
        [&](int g) {
          ++taken;
          ticket[g] += n_ended;
          n_ended = 0;
          if (ticket[g] != size[g]) return;
          EXPECT_EQ(ended[g], size[g]) << "items of group " << g << " had not ended";
          ++decided[g];
        });
    EXPECT_EQ(n_ended, 0) << "items that no ticket tells of";
  }
};

TEST(GroupsOfABlock, EachIsDecidedOnceBehindItsLastItem) {
  std::mt19937 generator(4);
  for (int n_group : {1, 2, 5, 40})
    for (int n_block : {1, 2, 3, 7, 32, 500}) {
      Tickets tickets(n_group, &generator);
      std::vector<int> order(n_block);
      for (int b = 0; b < n_block; ++b) order[b] = b;
      std::shuffle(order.begin(), order.end(), generator);
      for (int block : order) tickets.run_block(block, n_block);
      EXPECT_EQ(tickets.decided, std::vector<int>(n_group, 1));
      EXPECT_EQ(tickets.ticket, tickets.size);
    }
}

TEST(GroupsOfABlock, OneGroupCostsABlockOneTicket) {
  std::mt19937 generator(4);
  Tickets tickets(1, &generator);
  tickets.group.assign(1000, 0);
  tickets.size = {1000};
  for (int block = 0; block < 8; ++block) tickets.run_block(block, 8);
  EXPECT_EQ(tickets.taken, 8);
  EXPECT_EQ(tickets.decided, std::vector<int>{1});
}

TEST(GroupsOfABlock, ABlockWithoutItemsTakesNone) {
  std::mt19937 generator(4);
  Tickets tickets(1, &generator);
  tickets.run_block(100, 200);
  EXPECT_EQ(tickets.taken, 0);
}

}  // namespace
}  // namespace nodia
