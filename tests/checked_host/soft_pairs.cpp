/// Tests the device's search for soft-soft pairs against the host's, bit for bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>

#include "host/collision/device_soft_pairs.hpp"
#include "kernels/core/error.hpp"
#include "tests/checked_host/both_backends.hpp"
#include "tests/devices/checked_host/checked_host.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/same_bits.hpp"
#include "tests/support/soft_bodies.hpp"

namespace nodia {
namespace {

using test::moved_by;
using test::ProximityScene;
using test::random_pair;

/// All members of a pair without padding.
std::vector<double> numbers_of(const SurfacePair& p) {
  std::vector<double> all{p.gap_m,
                          static_cast<double>(p.key >> 32),
                          static_cast<double>(p.key & 0xffffffffU),
                          static_cast<double>(p.surface_i),
                          static_cast<double>(p.surface_j),
                          static_cast<double>(p.rule),
                          static_cast<double>(p.feature_i),
                          static_cast<double>(p.feature_j)};
  const auto add = [&](Vec3d a) { all.insert(all.end(), {a.x, a.y, a.z}); };
  add(p.normal);
  add(p.surface_velocity);
  for (const BodyPoint* point : {&p.i, &p.j}) {
    add(point->position);
    all.insert(all.end(), {static_cast<double>(point->kind), static_cast<double>(point->n_node),
                           static_cast<double>(point->frame)});
    for (std::size_t k = 0; k < 3; ++k)
      all.insert(all.end(), {static_cast<double>(point->node[k]), point->weight[k]});
  }
  return all;
}

class DeviceSoftPairsOf : public testing::Test {
 protected:
  void TearDown() override {
    checked_host().detector = nullptr;
    checked_host().faulty_kernel.clear();
    checked_host().last_allocation = -1;
  }

  std::vector<std::vector<VertexHit>> find(std::vector<ProximityScene*> scenes) {
    std::vector<ProximitySearch*> searches;
    for (ProximityScene* scene : scenes) {
      if (scene != nullptr) scene->search.begin(scene->state(), scene->margin, scene->step);
      searches.push_back(scene != nullptr ? &scene->search : nullptr);
    }
    std::vector<std::vector<VertexHit>> hits;
    device_.find(searches, 2, &hits);
    return hits;
  }
  /// Searches the scenes in one batch; null: inactive environment.
  void expect_pairs_of_the_host(std::vector<ProximityScene*> scenes) {
    std::vector<std::vector<SurfacePair>> expected;
    for (ProximityScene* scene : scenes)
      expected.push_back(scene != nullptr ? scene->find() : std::vector<SurfacePair>{});
    const auto hits = find(scenes);
    for (std::size_t e = 0; e < scenes.size(); ++e) {
      SCOPED_TRACE(testing::Message() << "environment " << e);
      std::vector<SurfacePair> found;
      if (scenes[e] != nullptr) scenes[e]->search.finish(1, &hits[e], &found);
      ASSERT_EQ(found.size(), expected[e].size());
      for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_TRUE(test::same_bits(numbers_of(found[k]), numbers_of(expected[e][k]))) << k;
      n_hit_ += static_cast<int>(hits[e].size());
    }
  }

  DeviceSoftPairs device_{0, LoopLauncher::launches};
  int n_hit_ = 0;
};

/// A moving mat that lies folded on itself.
ProximityScene folded_mat(int n_node, double lowered) {
  ProximityScene scene;
  SoftSurfaceOptions options;
  options.self_contact = true;
  scene.margin = 4e-3;
  scene.add_soft(
      mesh_mat({0.3, 0.1, 4e-3}, n_node),
      [&](Vec3d p) {
        Vec3d q = test::folded(p, 0.3, 1.5e-3, 4e-3);
        if (p.x > 0.17) q.z -= lowered;
        return q;
      },
      options);
  test::RandomScene random(5);
  for (Vec3d& v : scene.v) v = random.vector(0.2);
  return scene;
}

TEST_F(DeviceSoftPairsOf, RandomBodiesAreTheHosts) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    ProximityScene scene = random_pair(seed, seed % 3 == 0 ? 1.0 : 0.0);
    test::RandomScene random(seed);
    for (std::size_t k = 0; seed % 2 == 0 && k < scene.v.size(); ++k)
      scene.v_free.push_back(random.vector(2));
    if (seed % 4 == 0) scene.v_free[7].x = std::numeric_limits<double>::quiet_NaN();
    expect_pairs_of_the_host({&scene});
  }
  EXPECT_GT(n_hit_, 500);
}

TEST_F(DeviceSoftPairsOf, AFoldedMatAreTheHosts) {
  for (const double lowered : {0.0, 3.5e-3}) {
    ProximityScene scene = folded_mat(600, lowered);
    expect_pairs_of_the_host({&scene});
  }
  EXPECT_GT(n_hit_, 300);
}

TEST_F(DeviceSoftPairsOf, NestedCoincidentCrumpledAndLostBodiesAreTheHosts) {
  const TetMesh ball = mesh_ball(0.1, 300), box = mesh_box({0.1, 0.1, 0.1}, {3, 3, 3});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [margin, speed] :
       {std::pair{0.0, 1.0}, {1e-12, 0.0}, {0.02, 1.0}, {10.0, 0.0}, {0.02, 1e200}}) {
    SCOPED_TRACE(testing::Message() << margin << " " << speed);
    ProximityScene scene;
    scene.margin = margin;
    SoftSurfaceOptions options;
    options.self_contact = true;
    options.thickness_m = 1e-3;
    scene.add_soft(box, moved_by({}), options);
    scene.add_soft(box, [](Vec3d p) { return 0.3 * p + Vec3d{0.02, 0.02, 0.02}; });
    scene.add_soft(ball, moved_by({0.05, 0.05, 0.2}));
    scene.add_soft(ball, moved_by({0.05, 0.05, 0.2}));
    test::RandomScene random(3);
    for (Vec3d& v : scene.v) v = random.vector(speed);
    expect_pairs_of_the_host({&scene});
    scene.x[3] = {nan, 0, 0};
    scene.x[70] = {0, HUGE_VAL, 0};
    scene.v[11] = {0, nan, 0};
    expect_pairs_of_the_host({&scene});
    for (Vec3d& x : scene.x) x = random.vector(1e-9);
    expect_pairs_of_the_host({&scene});
    for (Vec3d& x : scene.x) x = {1, 2, 3};  // all of them in one cell
    expect_pairs_of_the_host({&scene});
    for (Vec3d& x : scene.x) x = {random.uniform(0, 1e-3), 0, 0};
    expect_pairs_of_the_host({&scene});
    for (Vec3d& x : scene.x) x = {nan, nan, nan};
    expect_pairs_of_the_host({&scene});
  }
  EXPECT_GT(n_hit_, 1000);
}

/// These features come within the contact margin only because of their motion in the step.
TEST_F(DeviceSoftPairsOf, BodiesThatWillComeNearAreTheHosts) {
  const TetMesh box = mesh_box({0.1, 0.1, 0.1}, {3, 3, 3});
  for (const double speed : {0.0, 3.0}) {
    ProximityScene scene;
    scene.add_soft(box, moved_by({}));
    scene.v_free.resize(scene.v.size());
    scene.add_soft(box, moved_by({0.03, 0.02, 0.12}));
    scene.v_free.resize(scene.v.size(), {0, 0, -speed});
    expect_pairs_of_the_host({&scene});
    EXPECT_EQ(n_hit_ > 0, speed > 0);
  }
}

/// Open sheets with triangles of zero area, larger than a chunk.
TEST_F(DeviceSoftPairsOf, SheetsAreTheHosts) {
  const auto sheet = [](int n) {
    std::vector<Vec3d> nodes;
    std::vector<std::array<std::int32_t, 3>> triangles;
    for (std::int32_t i = 0; i < n; ++i)
      for (std::int32_t j = 0; j < n; ++j) nodes.push_back({0.01 * i, 0.01 * (j - j % 5 / 4), 0});
    for (std::int32_t i = 0; i + 1 < n; ++i)
      for (std::int32_t j = 0; j + 1 < n; ++j) {
        const std::int32_t k = i * n + j;
        triangles.push_back({k, k + n, k + 1});
        triangles.push_back({k + 1, k + n, k + n + 1});
      }
    return std::pair(nodes, make_surface(nodes, triangles));
  };
  for (const double height : {0.0, 2e-3, -2e-3}) {
    ProximityScene scene;
    for (const int n : {31, 20, 3}) {
      const auto [nodes, mesh] = sheet(n);
      scene.search.add_soft(mesh, static_cast<int>(scene.x.size()), {.self_contact = n == 31});
      for (const Vec3d& p : nodes) {
        scene.x.push_back(p + Vec3d{0, 0, height * n});
        scene.v.push_back({});
      }
    }
    expect_pairs_of_the_host({&scene});
  }
  EXPECT_GT(n_hit_, 300);
}

/// Searches different environments, also inactive and empty ones, then again with more pairs.
TEST_F(DeviceSoftPairsOf, EnvironmentsSideBySideAreTheHosts) {
  ProximityScene first = random_pair(4, 1), alone, folded = folded_mat(200, 0),
                 third = random_pair(4, 0), rigid;
  alone.add_soft(mesh_ball(0.1, 30), moved_by({}));
  rigid.add_shape({ShapeKind::box, {0.1, 0.1, 0.1}, 0, 0, {}}, {});
  rigid.add_soft(mesh_ball(0.1, 30), moved_by({}));
  expect_pairs_of_the_host({&first, nullptr, &alone, &folded, &third, &rigid});
  for (ProximityScene* scene : {&first, &folded, &third}) scene->margin *= 2;
  expect_pairs_of_the_host({&first, nullptr, &alone, &folded, &third, &rigid});
  expect_pairs_of_the_host({nullptr, &first, &alone, &folded, nullptr, &rigid});
  expect_pairs_of_the_host({&third});
  EXPECT_GT(n_hit_, 200);
}

TEST_F(DeviceSoftPairsOf, NothingToSearchForTouchNoDevice) {
  ProximityScene alone;
  alone.add_soft(mesh_ball(0.1, 30), moved_by({}));
  const std::int64_t before = checked_host().n_allocation;
  expect_pairs_of_the_host({&alone});
  expect_pairs_of_the_host({});
  EXPECT_EQ(checked_host().n_allocation, before);
}

TEST_F(DeviceSoftPairsOf, AStepMoveVerticesUpAndPairsDown) {
  ProximityScene scene = folded_mat(300, 0);
  find({&scene});
  CheckedHost& device = checked_host();
  const std::int64_t n_allocation = device.n_allocation;
  device.bytes_up = device.bytes_down = 0;
  device.n_on_null_stream = 0;
  const auto hits = find({&scene});
  const auto n_vertex = static_cast<std::int64_t>(scene.meshes[0].n_vertex()),
             n_hit = static_cast<std::int64_t>(hits[0].size());
  EXPECT_GT(n_hit, 50);
  EXPECT_EQ(device.bytes_up, 72 * n_vertex);
  EXPECT_EQ(device.bytes_down, 4 + 92 * n_hit);
  EXPECT_EQ(device.n_allocation, n_allocation);
  EXPECT_EQ(device.n_on_null_stream, 0);
}

TEST_F(DeviceSoftPairsOf, KernelsUnderTheRaceDetectorHaveNoRace) {
  RaceDetector launcher({.seed = 3});
  checked_host().detector = &launcher;
  ProximityScene folded = folded_mat(200, 1e-3), pair = random_pair(9, 1);
  expect_pairs_of_the_host({&folded, &pair});
  EXPECT_TRUE(launcher.conflicts().empty());
  EXPECT_GT(n_hit_, 50);
}

TEST_F(DeviceSoftPairsOf, FaultsAreToldAndForgotten) {
  ProximityScene scene = random_pair(6, 1);
  const auto told = [&] {
    try {
      find({&scene});
    } catch (const RuntimeError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const char* kernel : {"triangle_bounds", "join_boxes", "flag_vertices", "write_hits"}) {
    checked_host().faulty_kernel = kernel;
    EXPECT_THAT(told(), testing::HasSubstr("pairs of soft surfaces"));
    checked_host().faulty_kernel.clear();
    expect_pairs_of_the_host({&scene});
  }
  int n_failed = 0;
  for (int more = 0; more < 100; ++more) {
    DeviceSoftPairs fresh(0, LoopLauncher::checked);
    std::vector<ProximitySearch*> searches{&scene.search};
    scene.search.begin(scene.state(), scene.margin, scene.step);
    std::vector<std::vector<VertexHit>> hits;
    checked_host().last_allocation = checked_host().n_allocation + more;
    try {
      fresh.find(searches, 1, &hits);
      more = 100;
    } catch (const RuntimeError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("free"));
      ++n_failed;
    }
  }
  EXPECT_GT(n_failed, 10);
  EXPECT_LT(n_failed, 60);
}

/// A step with a fault throws, and the next steps have the CPU's bits.
TEST_F(DeviceSoftPairsOf, StepsAreTheDevices) {
  test::BothBackends pair(
      test::ScenarioBatch("scenarios/mat_folding/mat_folding.yaml", Precision::double_,
                          {"bodies.mat.mesh={mat: {size_m: [0.4, 0.3, 0.004], nodes: 100}}"}));
  pair.step(1);
  checked_host().faulty_kernel = "flag_vertices";
  EXPECT_THROW(pair.device.step(), RuntimeError);
  checked_host().faulty_kernel.clear();
  pair.step(2);
}

}  // namespace
}  // namespace nodia
