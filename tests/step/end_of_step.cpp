/// Tests kernels for contact totals, nodes, energies and attachment forces at the end of a step
/// against the host, bit for bit.
#include <gtest/gtest.h>

#include <limits>

#include "tests/step/ended_device.hpp"

namespace nodia::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Environments of one cell, of whole chunks of nodes, of one node more and less, and of several
/// bodies; with and without obstacles.
SolvedBatch batch_of(unsigned seed) {
  const double edge_m = 0.02;
  SolvedBatch batch;
  batch.add(10 * seed, {box_of({1, 1, 1})}, 2);
  batch.add(10 * seed + 1, {box_of({7, 7, 3})}, 4);
  batch.add(10 * seed + 2, {box_of({2, 1, 1}), box_of({8, 7, 6}), box_of({1, 1, 1})}, 3);
  batch.add(10 * seed + 3, {tet_helix(257, edge_m), box_of({3, 3, 15})}, 1);
  batch.add(10 * seed + 4, {tet_helix(255, edge_m)}, 0);
  batch.add(10 * seed + 5, {tet_helix(515, edge_m), tet_helix(259, edge_m)}, 2);
  return batch;
}

TEST(SoftEndOfStep, HasTheBitsOfTheHosts) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    batch_of(seed).expect_the_hosts_in_every_precision(seed);
  }
}

TEST(SoftEndOfStep, CountsContactsOfEveryStateAndReachesTheEnd) {
  const SolvedBatch batch = batch_of(5);
  OneLaneLauncher one_lane;
  std::vector<std::vector<Vec3d>> solution;
  const std::vector<Ended> ended = batch.by_kernels<DoublePrecision>(&one_lane, &solution);
  for (std::size_t e = 0; e < ended.size(); ++e) {
    const SoftEnd& end = ended[e].end;
    EXPECT_TRUE(end.is_reached);
    EXPECT_GT(end.kinetic_J, 0);
    EXPECT_GT(end.elastic_J, 0);
    EXPECT_NE(end.gravity_J, 0);
    if (batch.env[e]->n_obstacle() == 0) {
      EXPECT_EQ(end.n_contact, 0);
      EXPECT_EQ(norm(end.obstacle_force_N), 0);
    } else if (batch.env[e]->n_node() > 100) {
      EXPECT_GT(end.n_stick, 5);
      EXPECT_GT(end.n_slip, 5);
      EXPECT_GT(end.n_contact, end.n_stick + end.n_slip + 5);
      EXPECT_GT(norm(end.obstacle_force_N), 0);
    }
  }
}

/// Velocities that are not finite, or lead to positions beyond the range of double.
TEST(SoftEndOfStep, EnvironmentsThatHaveNoFiniteEndStayWhereTheyAreAndOthersGoOn) {
  SolvedBatch batch = batch_of(1);
  batch.env[1]->v_hat.back().z = kNaN;
  batch.env[2]->v_hat.front().y = kInfinity;
  batch.env[3]->v_hat[256].x = -kInfinity;
  batch.env[4]->v_hat[100].x = 1.7e308;  // finite, but overflows after division by theta
  batch.env[4]->scene.scene.time.theta = 0.5;
  batch.expect_the_hosts<DoublePrecision>(1);
  OneLaneLauncher one_lane;
  std::vector<std::vector<Vec3d>> solution;
  const std::vector<Ended> ended = batch.by_kernels<DoublePrecision>(&one_lane, &solution);
  for (std::size_t e = 0; e < ended.size(); ++e) {
    EXPECT_EQ(ended[e].end.is_finite, e == 0 || e == 5) << e;
    EXPECT_EQ(ended[e].end.is_reached, e == 0 || e == 5) << e;
  }
}

/// Solutions whose report says not_a_number, although their end-of-step state is finite.
TEST(SoftEndOfStep, SolutionsThatAreNoneAreNotGoneTo) {
  SolvedBatch batch = batch_of(2);
  batch.env[0]->evaluation.is_finite = false;
  batch.env[1]->status = SolveStatus::not_a_number;
  batch.env[2]->evaluation.sums.dynamics.residual_squared = kInfinity;
  batch.env[3]->evaluation.sums.contacts.speed_scale = kInfinity;
  batch.env[4]->status = SolveStatus::diverged;
  batch.expect_the_hosts_in_every_precision(3);
  OneLaneLauncher one_lane;
  std::vector<std::vector<Vec3d>> solution;
  const std::vector<Ended> ended = batch.by_kernels<DoublePrecision>(&one_lane, &solution);
  for (std::size_t e = 0; e < ended.size(); ++e) {
    EXPECT_TRUE(ended[e].end.is_finite) << e;
    EXPECT_EQ(ended[e].end.is_reached, e >= 4) << e;
  }
}

TEST(SoftEndOfStep, EnvironmentsThatRestAreLeftAlone) {
  SolvedBatch batch = batch_of(3);
  batch.env[0]->is_inactive = batch.env[3]->is_inactive = true;
  batch.expect_the_hosts_in_every_precision(4);
}

/// There are more chunks than lanes of a block: lanes sum several chunks.
TEST(SoftEndOfStep, HasTheBitsOfTheHostsWhereThereAreMoreChunksThanABlockHasLanes) {
  SolvedBatch batch;
  batch.add(3, {box_of({41, 40, 39})}, 2);
  ASSERT_GT(batch.env[0]->n_node(), kBlockLanes * kBlockLanes);
  OneLaneLauncher one_lane;
  batch.expect_the_hosts<DoublePrecision>(&one_lane);
}

}  // namespace
}  // namespace nodia::test
