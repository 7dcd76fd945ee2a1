/// Compares the pairs of soft surfaces that every launcher finds, and its decision whether surfaces
/// stay apart, with the host's search.
#include "kernels/collision/paired_surfaces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/collision/pair_at.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/launchers.hpp"
#include "tests/support/paired_arrays.hpp"
#include "tests/support/soft_bodies.hpp"

namespace nodia {
namespace {

using test::moved_by;
using test::OneLaneLauncher;
using test::PaddedNode;
using test::ProximityScene;
using test::random_pair;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Data of a pair that are compared bit by bit.
struct FoundPair {
  std::int32_t surface_i = 0, surface_j = 0;
  bool is_edge = false;
  std::int32_t feature_i = 0, feature_j = 0;
  double gap_m = 0;
  std::array<double, 9> vectors{};  ///< normal, point of i, point of j

  static std::array<double, 9> listed(Vec3d a, Vec3d b, Vec3d c) {
    return {a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z};
  }
  static FoundPair of(const SurfacePair& pair) {
    return {pair.surface_i,
            pair.surface_j,
            pair.rule == PairRule::edge,
            pair.feature_i,
            pair.feature_j,
            pair.gap_m,
            listed(pair.normal, pair.i.position, pair.j.position)};
  }
  bool operator==(const FoundPair&) const = default;
  friend void PrintTo(const FoundPair& t, std::ostream* to) {
    *to << t.surface_i << " " << t.surface_j << (t.is_edge ? " edge " : " vertex ") << t.feature_i
        << " " << t.feature_j << " gap " << t.gap_m;
  }
};

/// The meeting of a scene's searches, as the environment 1 of two, the other one without any.
class Paired {
 public:
  explicit Paired(ProximityScene* scene)
      : searches_(scene->search.soft_searches(scene->margin)),
        v_free_(scene->v_free.empty() ? scene->v : scene->v_free) {
    arrays_.add(nullptr, {}, {});
    arrays_.add(searches_.get(), {numbers(scene->x), numbers(scene->v), numbers(v_free_)},
                {scene->margin, scene->step});
    arrays_.make_room(arrays_.n_slot());
  }

  /// @return whether nothing is told to be near anything
  template <class Launcher>
  bool is_apart(Launcher* launcher) {
    launch_find_pairs(*launcher, arrays_.paired());
    return arrays_.n_selected == 0 && !is_beyond();
  }
  /// After is_apart(): the pairs, in their order.
  std::vector<FoundPair> pairs() {
    std::vector<FoundPair> all;
    const PairedSurfaces g = arrays_.paired();
    any(arrays_.flag);
    for (std::int32_t k = 0; k < arrays_.n_selected; ++k) {
      const SoftPairAt at =
          pair_at(g, arrays_.selected[static_cast<std::size_t>(k)], DirectMemory{});
      const VertexSearch& search = g.searches.search[at.search];
      const bool is_edge = at.edge >= 0;
      const Vec3d on_i =
          is_edge ? at.crossing.on_i
                  : g.searches.surface[search.i].surface.position(at.feature, DirectMemory{});
      const auto number = [&](std::int32_t surface) {
        return searches_->surface[static_cast<std::size_t>(surface)].number;
      };
      all.push_back(
          {number(search.i), number(search.j), is_edge, at.feature,
           is_edge ? at.edge : at.hit.triangle, at.gap_m,
           FoundPair::listed(at.normal, on_i, is_edge ? at.crossing.on_j : at.hit.point)});
    }
    return all;
  }
  bool is_beyond() const { return any(arrays_.beyond); }
  /// After is_apart(). @param end  of all nodes
  template <class Launcher>
  bool may_pass(Launcher* launcher, const std::vector<Vec3d>& end) {
    end_ = test::padded(end);
    arrays_.set_end(test::scalars(end_));
    launch_tunnelling(*launcher, arrays_.paired());
    return any(arrays_.tunnelling);
  }

 private:
  static bool any(const std::vector<std::uint8_t>& flags) {
    return std::any_of(flags.begin(), flags.end(), [](std::uint8_t flag) {
      EXPECT_LE(flag, 1);
      return flag != 0;
    });
  }
  static const double* numbers(const std::vector<Vec3d>& nodes) {
    return reinterpret_cast<const double*>(nodes.data());
  }

  std::shared_ptr<const SoftSearches> searches_;
  std::vector<Vec3d> v_free_;
  test::PairedArrays arrays_;
  std::vector<PaddedNode> end_;
};

/// Of how many states the surfaces were apart, and of how many near, or in too many pairs; pairs of
/// edges, and those whose edges have passed each other.
struct Seen {
  int apart = 0, near = 0, beyond = 0;
  int edges = 0, passed = 0;
};

std::vector<FoundPair> vertex_pairs(std::vector<FoundPair> pairs) {
  std::erase_if(pairs, [](const FoundPair& pair) { return pair.is_edge; });
  return pairs;
}

/// Expects that every launcher finds the pairs of the host's search, and that surfaces without a
/// pair are apart. If an edge has more pairs than slots, compares only the pairs of vertices.
void expect_pairs_of_host(ProximityScene* scene, Seen* seen) {
  std::vector<FoundPair> expected;
  for (const SurfacePair& pair : scene->find()) expected.push_back(FoundPair::of(pair));
  const bool is_near = !expected.empty();
  ++(is_near ? seen->near : seen->apart);
  for (const FoundPair& pair : expected) {
    seen->edges += pair.is_edge ? 1 : 0;
    seen->passed += pair.is_edge && pair.gap_m < 0 ? 1 : 0;
  }
  Paired paired(scene);
  const auto expect = [&](auto* launcher) {
    EXPECT_EQ(paired.is_apart(launcher), !is_near);
    if (!paired.is_beyond()) {
      EXPECT_EQ(paired.pairs(), expected);
    } else {
      EXPECT_EQ(vertex_pairs(paired.pairs()), vertex_pairs(expected));
    }
  };
  OneLaneLauncher one_lane;
  expect(&one_lane);
  seen->beyond += paired.is_beyond() ? 1 : 0;
  for (const CpuIsa isa : available_isas()) {
    SCOPED_TRACE(name_of(isa));
    const CpuLauncher in_packs(isa, 3);
    expect(&in_packs);
  }
}

TEST(PairedSurfaces, SeeThePairsOfRandomBodies) {
  Seen seen;
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    for (const double away : {0.0, 0.12, 0.2}) {
      SCOPED_TRACE(testing::Message() << seed << ", " << away);
      ProximityScene scene = random_pair(seed, seed % 3 == 0 ? 1.0 : 0.0);
      test::RandomScene random(seed);
      for (std::size_t k = 0; seed % 2 == 0 && k < scene.v.size(); ++k)
        scene.v_free.push_back(random.vector(2));
      if (seed % 4 == 0) scene.v_free[7].x = kNan;
      if (seed % 5 == 0) scene.x[3].y = kNan;
      for (std::size_t k = static_cast<std::size_t>(scene.first_nodes[1]); k < scene.x.size(); ++k)
        scene.x[k] += Vec3d{away, 0.5 * away, away};
      expect_pairs_of_host(&scene, &seen);
    }
  EXPECT_GT(seen.near, 40);
  EXPECT_GT(seen.apart, 20);
  EXPECT_EQ(seen.beyond, 0);
}

/// Bodies inside each other, at equal positions, crumpled into a point, and with nodes that are not
/// finite.
TEST(PairedSurfaces, SeeThePairsOfNestedCoincidentCrumpledAndLostBodies) {
  const TetMesh ball = mesh_ball(0.1, 100), box = mesh_box({0.1, 0.1, 0.1}, {2, 2, 2});
  Seen seen;
  for (const auto& [margin, speed] :
       {std::pair{0.0, 1.0}, {1e-12, 0.0}, {0.02, 1.0}, {10.0, 0.0}, {0.02, 1e200}}) {
    SCOPED_TRACE(testing::Message() << margin << ", " << speed);
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
    expect_pairs_of_host(&scene, &seen);
    scene.x[3] = {kNan, 0, 0};
    scene.x[70] = {0, HUGE_VAL, 0};
    scene.v[11] = {0, kNan, 0};
    expect_pairs_of_host(&scene, &seen);
    for (Vec3d& x : scene.x) x = random.vector(1e-9);
    expect_pairs_of_host(&scene, &seen);
    for (Vec3d& x : scene.x) x = {1, 2, 3};
    expect_pairs_of_host(&scene, &seen);
    for (Vec3d& x : scene.x) x = {random.uniform(0, 1e-3), 0, 0};
    expect_pairs_of_host(&scene, &seen);
    for (Vec3d& x : scene.x) x = {kNan, kNan, kNan};
    expect_pairs_of_host(&scene, &seen);
  }
  EXPECT_GE(seen.near, 6);
  EXPECT_GE(seen.apart, 5);
}

/// These surfaces come within the contact margin only because of their motion in the step.
TEST(PairedSurfaces, SeeThePairsOfBodiesThatWillComeNear) {
  const TetMesh box = mesh_box({0.1, 0.1, 0.1}, {3, 3, 3});
  for (const double speed : {0.0, 3.0}) {
    SCOPED_TRACE(speed);
    ProximityScene scene;
    scene.add_soft(box, moved_by({}));
    scene.v_free.resize(scene.v.size());
    scene.add_soft(box, moved_by({0.03, 0.02, 0.12}));
    scene.v_free.resize(scene.v.size(), {0, 0, -speed});
    Seen seen;
    expect_pairs_of_host(&scene, &seen);
    EXPECT_EQ(seen.near, speed > 0 ? 1 : 0);
  }
}

/// Open sheets with triangles of zero area, larger than a chunk.
TEST(PairedSurfaces, SeeThePairsOfSheets) {
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
  Seen seen;
  for (const double height : {0.0, 2e-3, -2e-3}) {
    SCOPED_TRACE(height);
    ProximityScene scene;
    for (const int n : {31, 20, 3}) {
      const auto [nodes, mesh] = sheet(n);
      scene.search.add_soft(mesh, static_cast<int>(scene.x.size()), {.self_contact = n == 31});
      for (const Vec3d& p : nodes) {
        scene.x.push_back(p + Vec3d{0, 0, height * n});
        scene.v.push_back({});
      }
    }
    expect_pairs_of_host(&scene, &seen);
  }
  EXPECT_GE(seen.near, 1);
}

/// Of boxes and balls that hardly overlap, so that edges meet, some of which have passed each
/// other.
TEST(PairedSurfaces, SeeThePairsOfEdges) {
  Seen seen;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomScene random(100 + seed);
    ProximityScene scene;
    scene.margin = random.uniform(0, 8e-3);
    SoftSurfaceOptions options;
    options.self_contact = seed % 3 == 0;
    options.thickness_m = seed % 4 == 0 ? 1e-3 : 0.0;
    for (int body = 0; body < 4; ++body) {
      const bool is_ball = (seed + static_cast<std::uint64_t>(body)) % 5 == 0;
      const TetMesh mesh = is_ball ? mesh_ball(0.055, 80) : mesh_box({0.1, 0.1, 0.1}, {3, 2, 2});
      const Vec3d middle = is_ball ? Vec3d{} : Vec3d{0.05, 0.05, 0.05};
      const Pose pose{
          Vec3d{body % 2 == 0 ? 0.0 : 0.115, body < 2 ? 0.0 : 0.115, 0} + random.vector(0.01),
          rotation_matrix(random.rotation())};
      scene.add_soft(
          mesh, [&](Vec3d p) { return pose.to_world(p - middle) + random.vector(5e-4); }, options);
    }
    for (Vec3d& v : scene.v) v = random.vector(seed % 2 == 0 ? 0.0 : 0.3);
    expect_pairs_of_host(&scene, &seen);
  }
  EXPECT_GT(seen.edges, 100);
  EXPECT_GT(seen.passed, 30);
  EXPECT_LT(seen.beyond, 3);
}

/// A beam whose edge lies across a box of n cells a side.
ProximityScene beam_across(int n, bool beam_comes_first) {
  ProximityScene scene;
  scene.margin = 1e-3;
  const auto add_beam = [&] {
    scene.add_soft(mesh_box({0.5, 0.03, 0.03}, {1, 1, 1}), [](Vec3d p) {
      const double s = std::sqrt(0.5);
      return test::rotated_about_z({p.x - 0.25, s * (p.y - p.z), s * (p.y + p.z) + 5e-4}, 0.3);
    });
  };
  if (beam_comes_first) add_beam();
  scene.add_soft(mesh_box({0.1, 0.1, 0.05}, {n, n, 1}), moved_by({-0.053, -0.048, -0.05}));
  if (!beam_comes_first) add_beam();
  return scene;
}

/// Of an edge that comes first; in its place each of the others has one pair.
TEST(PairedSurfaces, TellWhereAnEdgeIsInMorePairsThanItsSlots) {
  Seen few, first, last;
  ProximityScene scene = beam_across(1, true);
  expect_pairs_of_host(&scene, &few);
  EXPECT_GT(few.edges, 1);
  EXPECT_EQ(few.beyond, 0);
  scene = beam_across(6, true);
  expect_pairs_of_host(&scene, &first);
  EXPECT_GT(first.edges, kEdgePairs);
  EXPECT_EQ(first.beyond, 1);
  scene = beam_across(6, false);
  expect_pairs_of_host(&scene, &last);
  EXPECT_EQ(last.edges, first.edges);
  EXPECT_EQ(last.beyond, 0);
}

/// A mat over itself, at any distance; and one that is bent alone. @param turn  of what lies above
/// the lower part, about z, so that rims cross [rad]
ProximityScene folded_mat(double radius, double speed, double turn = 0) {
  ProximityScene scene;
  SoftSurfaceOptions options;
  options.self_contact = true;
  scene.margin = 2e-3;
  const auto place = [&](Vec3d rest) {
    const Vec3d p = test::folded(rest, 0.3, radius, 4e-3), middle{0.07, 0.05, 0};
    return p.z < 4e-3 + radius ? p : middle + test::rotated_about_z(p - middle, turn);
  };
  scene.add_soft(mesh_mat({0.3, 0.1, 4e-3}, 300), place, options);
  test::RandomScene random(5);
  for (Vec3d& v : scene.v) v = random.vector(speed);
  return scene;
}

TEST(PairedSurfaces, SeeAMatOnItself) {
  Seen seen;
  for (const double radius : {0.4e-3, 0.9e-3, 1.2e-3, 3e-3, 8e-3, 20e-3, 60e-3})
    for (const double speed : {0.0, 0.05, 0.5}) {
      SCOPED_TRACE(testing::Message() << radius << ", " << speed);
      ProximityScene scene = folded_mat(radius, speed);
      expect_pairs_of_host(&scene, &seen);
    }
  EXPECT_GT(seen.near, 5);
  EXPECT_GT(seen.apart, 10);
  EXPECT_EQ(seen.beyond, 0);
  Seen rims;
  for (const double turn : {0.2, 0.5, 0.8, 1.1}) {
    SCOPED_TRACE(turn);
    ProximityScene scene = folded_mat(0.5e-3, 0.01, turn);
    expect_pairs_of_host(&scene, &rims);
  }
  EXPECT_GT(rims.edges, 10);
  EXPECT_EQ(rims.beyond, 0);
}

/// Of boxes that meet edge to edge no vertex is in a pair.
TEST(PairedSurfaces, SeeEdgesThatCross) {
  const TetMesh box = mesh_box({0.1, 0.1, 0.1}, {2, 2, 2});
  const auto turned = [](Vec3d p) {  // an edge along x below
    const Vec3d c = p - Vec3d{0.05, 0.05, 0.05};
    const double s = std::sqrt(0.5);
    return Vec3d{c.x, s * (c.y - c.z), s * (c.y + c.z)};
  };
  const double tip = 0.05 * std::sqrt(2.0);
  Seen seen;
  int n_edges_alone = 0;
  for (const double gap : {-1e-3, 1e-3, 1.9e-3, 2.1e-3, 0.01})
    for (const double speed : {0.0, 0.4}) {
      SCOPED_TRACE(testing::Message() << gap << ", " << speed);
      ProximityScene scene;
      scene.margin = 2e-3;
      scene.add_soft(box, [&](Vec3d p) {
        const Vec3d q = turned(p);  // an edge along y above
        return Vec3d{q.y + 0.013, q.x + 0.011, -q.z - tip};
      });
      scene.add_soft(box, [&](Vec3d p) {
        const Vec3d q = turned(p);
        return q + Vec3d{0, 0, tip + gap};
      });
      for (std::size_t k = static_cast<std::size_t>(scene.first_nodes[1]); k < scene.v.size(); ++k)
        scene.v[k] = {0, 0, -speed};
      expect_pairs_of_host(&scene, &seen);
      Paired paired(&scene);
      OneLaneLauncher one_lane;
      paired.is_apart(&one_lane);
      const std::vector<FoundPair> pairs = paired.pairs();
      n_edges_alone += !pairs.empty() && pairs.front().is_edge ? 1 : 0;
    }
  EXPECT_GT(n_edges_alone, 2);
  EXPECT_GT(seen.apart, 1);
}

/// No point comes through a surface, as the host sees it, without being told.
TEST(PairedSurfaces, TellWhateverMayComeThrough) {
  int n_passed = 0, n_quiet = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    ProximityScene scene = seed % 2 == 0 ? random_pair(seed, 0) : folded_mat(4e-3, 0);
    scene.margin = 2e-3;
    test::RandomScene random(seed);
    const double far = seed % 3 == 0 ? 1e-4 : (seed % 3 == 1 ? 5e-3 : 0.05);
    const Vec3d all = random.vector(far);
    std::vector<Vec3d> end = scene.x;
    for (std::size_t k = 0; k < end.size(); ++k) {
      const bool is_moved =
          seed % 2 == 0 ? k >= static_cast<std::size_t>(scene.first_nodes[1]) : scene.x[k].z > 6e-3;
      if (is_moved) end[k] += all + 0.1 * random.vector(far);
    }
    scene.find();
    std::vector<MissedTunnelling> missed;
    scene.search.find_tunnelling({end, scene.v, scene.pose, scene.twist}, &missed);
    Paired paired(&scene);
    OneLaneLauncher one_lane;
    paired.is_apart(&one_lane);
    const bool may_pass = paired.may_pass(&one_lane, end);
    if (!missed.empty()) {
      EXPECT_TRUE(may_pass);
    }
    if (far < 1e-3) {
      EXPECT_FALSE(may_pass);
    }
    n_passed += missed.empty() ? 0 : 1;
    n_quiet += may_pass ? 0 : 1;
  }
  EXPECT_GT(n_passed, 5);
  EXPECT_GT(n_quiet, 15);
}

template <class Launcher>
std::vector<FoundPair> pairs_by(Launcher* launcher, ProximityScene* scene) {
  Paired paired(scene);
  paired.is_apart(launcher);
  return paired.pairs();
}

TEST(PairedSurfaces, HaveNoRace) {
  for (const double radius : {1e-3, 8e-3}) {
    RaceDetector launcher({.seed = 3});
    ProximityScene scene = folded_mat(radius, 0.1);
    OneLaneLauncher one_lane;
    Paired paired(&scene);
    EXPECT_EQ(paired.is_apart(&launcher), paired.is_apart(&one_lane));
    EXPECT_EQ(pairs_by(&launcher, &scene), pairs_by(&one_lane, &scene));
    std::vector<Vec3d> end = scene.x;
    for (Vec3d& p : end)
      if (p.z > 5e-3) p.z -= 8e-3;
    EXPECT_EQ(paired.may_pass(&launcher, end), paired.may_pass(&one_lane, end));
    EXPECT_TRUE(launcher.conflicts().empty());
  }
  RaceDetector launcher({.seed = 4});
  OneLaneLauncher one_lane;
  ProximityScene scene = beam_across(1, false);
  EXPECT_EQ(pairs_by(&launcher, &scene), pairs_by(&one_lane, &scene));
  EXPECT_TRUE(launcher.conflicts().empty());
}

}  // namespace
}  // namespace nodia
