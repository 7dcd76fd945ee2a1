/// Tests kernels for the free motion of soft bodies against the host, bit for bit.
#include "kernels/step/free_motion.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "host/simulation/free_motion.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/fem_random.hpp"
#include "tests/support/launchers.hpp"
#include "tests/support/same_bits.hpp"
#include "tests/support/soft_step.hpp"

namespace nodia::test {
namespace {

constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();

/// Output of launch_free_motion for an environment.
struct Motion {
  std::vector<Vec3d> own_share, v_free;
  std::vector<TranslationSum> body_sum;
};

std::vector<Vec3d> on_the_host(SoftStepScene* s) {
  FreeMotion motion;
  motion.update(s->system, s->state, s->external_forces, 2, s->A.value.data(), s->b.data());
  return motion.v();
}

/// Runs the kernels on several environments; null: inactive environment.
template <class Launcher>
std::vector<Motion> launched(const std::vector<SoftStepScene*>& scenes, Launcher* launcher) {
  SoftStepBatch<DoublePrecision> batch;
  std::vector<SoftStepArrays> arrays(scenes.size());
  std::vector<SoftRows> soft;
  std::vector<SoftContacts> contacts;
  std::vector<Motion> motions(scenes.size());
  const auto name = [&](const char* what, auto& array) {
    if constexpr (std::is_same_v<Launcher, RaceDetector>)
      if (!array.empty())
        launcher->name_region(array.data(), array.size() * sizeof(array[0]), what);
  };
  for (std::size_t e = 0; e < scenes.size(); ++e) {
    SoftContacts& c = contacts.emplace_back();
    if (scenes[e] == nullptr) {
      soft.emplace_back();
      continue;
    }
    soft.push_back(arrays[e].make(*scenes[e]));
    arrays[e].name(launcher);
    const int n_node = soft.back().model.n_node;
    Motion& m = motions[e];
    m.own_share.assign(static_cast<std::size_t>(n_node), {kUnset, kUnset, kUnset});
    m.v_free = m.own_share;
    c.n_body = static_cast<std::int32_t>(arrays[e].body.size());
    c.body = arrays[e].body.data();
    m.body_sum.resize(static_cast<std::size_t>(body_chunk_count(n_node, c.n_body)));
    c.own_share = &m.own_share[0].x;
    c.body_sum = m.body_sum.data();
    c.v_free = &m.v_free[0].x;
    name("own_share", m.own_share);
    name("body_sum", m.body_sum);
    name("v_free", m.v_free);
    batch.n_node = std::max(batch.n_node, n_node);
    batch.n_body = std::max(batch.n_body, c.n_body);
  }
  batch.n_env = static_cast<int>(scenes.size());
  batch.soft = soft.data();
  batch.contacts = contacts.data();
  evaluate_corners(*launcher, soft);
  launch_free_motion(*launcher, batch);
  return motions;
}

/// Bodies of one cell, of whole chunks of nodes, of one node more and less, and of several chunks.
std::vector<std::vector<TetMesh>> bodies_of_environments() {
  const double edge_m = 0.02;
  return {{box_of({1, 1, 1})},
          {box_of({1, 1, 1}), box_of({7, 7, 3}), box_of({2, 1, 1}), box_of({8, 7, 6}),
           box_of({1, 1, 1})},
          {tet_helix(257, edge_m), box_of({3, 3, 15}), tet_helix(255, edge_m)},
          {box_of({9, 9, 9})},
          {box_of({7, 7, 7}), box_of({4, 3, 2}), tet_helix(512, edge_m), box_of({1, 2, 3})}};
}

struct Scenes {
  std::vector<std::unique_ptr<SoftStepScene>> owned;
  std::vector<SoftStepScene*> all;

  explicit Scenes(unsigned seed) {
    for (const auto& bodies : bodies_of_environments()) {
      const unsigned own = 10 * seed + static_cast<unsigned>(owned.size());
      SoftStepLoads loads = SoftStepLoads::none;
      if (own % 3 == 1) loads = SoftStepLoads::attachments;
      if (own % 3 == 2) loads = SoftStepLoads::attachments_and_external_forces;
      owned.push_back(std::make_unique<SoftStepScene>(own, bodies, loads));
      all.push_back(owned.back().get());
    }
    all.insert(all.begin() + 2, nullptr);
  }
};

template <class Launcher>
void expect_bits_of_the_host(const Scenes& scenes, Launcher* launcher) {
  const std::vector<Motion> motions = launched(scenes.all, launcher);
  for (std::size_t e = 0; e < motions.size(); ++e) {
    SCOPED_TRACE(e);
    if (scenes.all[e] == nullptr) continue;
    const std::vector<Vec3d> expected = on_the_host(scenes.all[e]);
    ASSERT_GT(expected.size(), 0);
    for (const Vec3d& v : expected) ASSERT_TRUE(is_finite(v));
    EXPECT_EQ(count_different(motions[e].v_free, expected), 0);
  }
}

TEST(SoftFreeMotion, HasTheBitsOfTheHosts) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    const Scenes scenes(seed);
    OneLaneLauncher one_lane;
    expect_bits_of_the_host(scenes, &one_lane);
    for (const CpuIsa isa : available_isas()) {
      SCOPED_TRACE(name_of(isa));
      const CpuLauncher in_packs(isa, 2);
      expect_bits_of_the_host(scenes, &in_packs);
    }
  }
}

TEST(SoftFreeMotion, IsFreeOfRacesAndOfAccessesOutOfBounds) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    SCOPED_TRACE(seed);
    const Scenes scenes(seed);
    RaceDetector launcher({.seed = seed + 1, .n_block = 4, .strict_regions = true});
    expect_bits_of_the_host(scenes, &launcher);
    EXPECT_TRUE(launcher.conflicts().empty());
  }
}

/// There are more chunks than lanes of a block: lanes sum several chunks.
TEST(SoftFreeMotion, HasTheBitsOfTheHostsWhereABodyHasMoreChunksThanABlockHasLanes) {
  SoftStepScene scene(3, {box_of({2, 2, 2}), box_of({41, 40, 39})}, SoftStepLoads::none);
  ASSERT_GT(scene.state.v.size(), 27 + kBlockLanes * kBlockLanes);
  OneLaneLauncher one_lane;
  const std::vector<Motion> motions = launched({&scene}, &one_lane);
  EXPECT_EQ(count_different(motions[0].v_free, on_the_host(&scene)), 0);
}

/// All environments of the batch are inactive, or the batch is empty.
TEST(SoftFreeMotion, DoesNothingForEnvironmentsThatRest) {
  OneLaneLauncher one_lane;
  EXPECT_EQ(launched({}, &one_lane).size(), 0);
  EXPECT_EQ(launched({nullptr, nullptr}, &one_lane).size(), 2);
}

TEST(SoftFreeMotion, ChunksTakeEveryNodeOnceCountedFromItsBodysFirst) {
  FemRandom random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<NodeRange> body;
    std::int32_t n_node = 0;
    const int n_body = 1 + static_cast<int>(random.uniform(0, 12));
    for (int b = 0; b < n_body; ++b) {
      const int chunks = static_cast<int>(random.uniform(0, 4)) * kBlockLanes;
      const int n = std::max(1, chunks + static_cast<int>(random.uniform(-3, 4)));
      body.push_back({n_node, n_node + n});
      n_node += n;
    }
    SoftContacts contacts;
    contacts.n_body = n_body;
    contacts.body = body.data();
    std::vector<int> taken(static_cast<std::size_t>(n_node));
    for (int c = 0; c < body_chunk_count(n_node, n_body); ++c) {
      const BodyChunk chunk = BodyChunk::of(contacts, c);
      if (chunk.nodes.begin == chunk.nodes.end) continue;
      const NodeRange& own = body[static_cast<std::size_t>(chunk.body)];
      EXPECT_EQ((chunk.nodes.begin - own.begin) / kBlockLanes,
                c - BodyChunk::first(contacts, chunk.body));
      EXPECT_EQ((chunk.nodes.begin - own.begin) % kBlockLanes, 0);
      EXPECT_LE(chunk.nodes.end - chunk.nodes.begin, kBlockLanes);
      EXPECT_LE(chunk.nodes.end, own.end);
      for (std::int32_t i = chunk.nodes.begin; i < chunk.nodes.end; ++i)
        ++taken[static_cast<std::size_t>(i)];
    }
    EXPECT_EQ(std::count(taken.begin(), taken.end(), 1), n_node);
  }
}

}  // namespace
}  // namespace nodia::test
