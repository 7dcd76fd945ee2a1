#include "host/simulation/obstacle_force.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/support/fem_random.hpp"

namespace nodia {
namespace {

struct Forces {
  std::vector<Contact<double>> contacts;
  std::vector<Vec3d> lambda;

  /// Sides in any order, several contacts on some, and some between two of them.
  Forces(unsigned seed, int n_side, int n_contact) {
    test::FemRandom random(seed);
    const auto side = [&] { return static_cast<std::int32_t>(random.uniform(0, n_side)); };
    for (int m = 0; m < n_contact; ++m) {
      Contact<double> c;
      c.side_i = side();
      c.side_j = m % 4 == 0 ? side() : kWorld;
      c.R = random.rotation();
      contacts.push_back(c);
      lambda.push_back(random.vector(5));
    }
  }

  Forces sorted_by_side() const {
    std::vector<std::size_t> order(contacts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return contacts[a].side_i < contacts[b].side_i;
    });
    Forces sorted = *this;
    for (std::size_t m = 0; m < order.size(); ++m) {
      sorted.contacts[m] = contacts[order[m]];
      sorted.lambda[m] = lambda[order[m]];
    }
    return sorted;
  }
};

TEST(ObstacleForce, IsTheSumOverContactsWithTheWorldWhateverTheOrderOfTheirSides) {
  std::vector<Vec3d> on_side;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const Forces forces(seed, 1 + static_cast<int>(seed * seed * 3), 500);
    Vec3d expected{};
    for (std::size_t m = 0; m < forces.contacts.size(); ++m)
      if (forces.contacts[m].side_j == kWorld)
        expected += transpose_times(forces.contacts[m].R, forces.lambda[m]);
    const Vec3d force = obstacle_force(forces.contacts, forces.lambda, 1, &on_side);
    EXPECT_LT(norm(force - expected), 1e-12 * 5 * 500);
    const Forces sorted = forces.sorted_by_side();
    for (const int n_thread : {1, 3}) {
      const Vec3d same = obstacle_force(sorted.contacts, sorted.lambda, n_thread, &on_side);
      for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(same[axis], force[axis]);
    }
  }
}

TEST(ObstacleForce, IsZeroWhereNothingTouchesTheWorld) {
  std::vector<Vec3d> on_side(10, Vec3d{1, 1, 1});  // of another call
  Forces between(1, 10, 1);
  EXPECT_NE(between.contacts[0].side_j, kWorld);
  EXPECT_EQ(norm(obstacle_force(between.contacts, between.lambda, 1, &on_side)), 0);
  EXPECT_EQ(norm(obstacle_force({}, {}, 1, &on_side)), 0);
}

}  // namespace
}  // namespace nodia
