/// Whether soft surfaces stay apart, by every launcher, against the host's search.
#include "kernels/collision/guard_surfaces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/mimic/launcher.hpp"
#include "tests/support/launchers.hpp"
#include "tests/support/soft_bodies.hpp"

namespace nodia {
namespace {

using test::moved_by;
using test::OneLaneLauncher;
using test::PaddedNode;
using test::ProximityScene;
using test::random_pair;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// The guard of a scene's searches, as the environment 1 of two, the other one without any.
class Guarded {
 public:
  explicit Guarded(ProximityScene* scene) : scene_(*scene) {
    searches_ = scene->search.soft_searches(scene->margin);
    const Vec3d nowhere{kNan, kNan, kNan};
    v_free_ = scene->v_free.empty() ? scene->v : scene->v_free;
    for (const SoftSearches::Surface& surface : searches_->surface) {
      const auto n_vertex = static_cast<std::size_t>(surface.fixed.n_vertex),
                 n_triangle = static_cast<std::size_t>(surface.fixed.n_triangle);
      Own& own = own_.emplace_back();
      own.x.assign(n_vertex, nowhere);
      own.v.assign(n_vertex, {nowhere, nowhere});
      own.normal.assign(n_triangle, nowhere);
      own.triangle_box.resize(n_triangle);
      own.order.resize(n_triangle);
      std::iota(own.order.begin(), own.order.end(), 0);
      own.box_of_chunk.resize(n_triangle);
      own.speed_of_chunk.resize(n_vertex);
      own.tree_box.resize(std::size_t{1} << tree_levels(surface.fixed.n_triangle));
      own.way_of_chunk.resize(n_vertex);
      own.node = surface.mesh.nodes;
      for (std::int32_t& node : own.node) node += surface.first_node;
      batch_.n_vertex = std::max(batch_.n_vertex, surface.fixed.n_vertex);
      batch_.n_triangle = std::max(batch_.n_triangle, surface.fixed.n_triangle);
    }
    for (std::size_t k = 0; k < own_.size(); ++k) add(searches_->surface[k], &own_[k]);
    const auto place_of = [&](std::int32_t number) {
      std::int32_t k = 0;
      while (searches_->surface[static_cast<std::size_t>(k)].number != number) ++k;
      return k;
    };
    for (const auto& [i, j] : searches_->search)
      search_.push_back({place_of(i), place_of(j), 0, {scene->margin, scene->step}});
    batch_.n_level = tree_levels(batch_.n_triangle);
    batch_.n_surface = static_cast<int>(own_.size());
    batch_.n_search = static_cast<int>(search_.size());
    batch_.surface = searched_.data();
    batch_.search = search_.data();
    first_search_ = {0, 0, batch_.n_search};
    near_vertices_.assign(search_.size() * n_chunk(batch_.n_vertex), 7);
    near_edges_.assign(search_.size() * n_chunk(n_sharp_), 7);
    passages_.assign(near_vertices_.size(), 7);
  }

  template <class Launcher>
  bool is_apart(Launcher* launcher) {
    std::int32_t is_apart = -1;
    launch_guard(*launcher, guard(&is_apart));
    EXPECT_TRUE(is_apart == 0 || is_apart == 1);
    return is_apart == 1;
  }
  /// After is_apart(). @param end  of all nodes
  template <class Launcher>
  bool may_pass(Launcher* launcher, const std::vector<Vec3d>& end) {
    end_ = test::padded(end);
    for (GuardedSurface& own : guarded_) own.end = test::scalars(end_);
    launch_passages(*launcher, guard(nullptr));
    return any(passages_);
  }
  bool any_vertex() const { return any(near_vertices_); }
  bool any_edge() const { return any(near_edges_); }

 private:
  struct Own {
    std::vector<Vec3d> x, normal;
    std::vector<PointMotion> v;
    std::vector<Bounds> triangle_box, box_of_chunk, speed_of_chunk, tree_box, way_of_chunk;
    std::vector<std::int32_t> order, node;
    BodyExtent extent;
    Bounds ways;
  };
  static std::size_t n_chunk(int n) { return static_cast<std::size_t>(item_count(n)); }
  static bool any(const std::vector<std::uint8_t>& flags) {
    return std::any_of(flags.begin(), flags.end(), [](std::uint8_t flag) {
      EXPECT_LE(flag, 1);
      return flag != 0;
    });
  }
  static const double* numbers(const std::vector<Vec3d>& nodes) {
    return reinterpret_cast<const double*>(nodes.data());
  }

  void add(const SoftSearches::Surface& surface, Own* own) {
    SearchedSurface s;
    s.surface = surface.fixed;
    s.surface.x = own->x.data();
    s.surface.v = own->v.data();
    s.surface.normal = s.normal = own->normal.data();
    s.triangle_box = own->triangle_box.data();
    s.box_of_chunk = own->box_of_chunk.data();
    s.speed_of_chunk = own->speed_of_chunk.data();
    s.extent = &own->extent;
    s.tree_box = own->tree_box.data();
    s.tree = {tree_levels(surface.fixed.n_triangle), surface.fixed.n_triangle, own->order.data(),
              s.triangle_box, s.tree_box};
    searched_.push_back(s);
    GuardedSurface g;
    g.n_vertex = surface.fixed.n_vertex;
    g.node = own->node.data();
    g.x = numbers(scene_.x);
    g.v = numbers(scene_.v);
    g.v_free = numbers(v_free_);
    g.vertex_x = own->x.data();
    g.vertex_v = own->v.data();
    g.edges = surface.edges;
    g.way_of_chunk = own->way_of_chunk.data();
    g.ways = &own->ways;
    guarded_.push_back(g);
    n_sharp_ = std::max(n_sharp_, g.edges.n_sharp);
  }
  SurfaceGuard guard(std::int32_t* is_apart) {
    SurfaceGuard g;
    g.searches = batch_;
    g.surface = guarded_.data();
    g.n_sharp = n_sharp_;
    g.first_search = first_search_.data();
    g.near_vertices = near_vertices_.data();
    g.near_edges = near_edges_.data();
    g.passages = passages_.data();
    g.is_apart = is_apart;
    return g;
  }

  const ProximityScene& scene_;
  std::shared_ptr<const SoftSearches> searches_;
  std::vector<Vec3d> v_free_;
  std::vector<Own> own_;
  std::vector<SearchedSurface> searched_;
  std::vector<GuardedSurface> guarded_;
  std::vector<VertexSearch> search_;
  SurfaceBatch batch_;
  int n_sharp_ = 0;
  std::vector<std::int32_t> first_search_;
  std::vector<std::uint8_t> near_vertices_, near_edges_, passages_;
  std::vector<PaddedNode> end_;
};

/// Of how many states the surfaces were apart, and of how many near.
struct Seen {
  int apart = 0, near = 0;
};

/// A pair of the host is seen by every launcher; without one surfaces are apart.
void expect_guarded(ProximityScene* scene, Seen* seen) {
  const bool is_near = !scene->find().empty();
  ++(is_near ? seen->near : seen->apart);
  Guarded guarded(scene);
  OneLaneLauncher one_lane;
  EXPECT_EQ(guarded.is_apart(&one_lane), !is_near);
  for (const CpuIsa isa : available_isas()) {
    const CpuLauncher in_packs(isa, 3);
    EXPECT_EQ(guarded.is_apart(&in_packs), !is_near) << name_of(isa);
  }
}

TEST(GuardSurfaces, SeeThePairsOfRandomBodies) {
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
      expect_guarded(&scene, &seen);
    }
  EXPECT_GT(seen.near, 40);
  EXPECT_GT(seen.apart, 20);
}

/// A mat over itself, at any distance; and one that is bent alone.
ProximityScene folded_mat(double radius, double speed) {
  ProximityScene scene;
  SoftSurfaceOptions options;
  options.self_contact = true;
  scene.margin = 2e-3;
  scene.add_soft(
      mesh_mat({0.3, 0.1, 4e-3}, 300), [&](Vec3d p) { return test::folded(p, 0.3, radius, 4e-3); },
      options);
  test::RandomScene random(5);
  for (Vec3d& v : scene.v) v = random.vector(speed);
  return scene;
}

TEST(GuardSurfaces, SeeAMatOnItself) {
  Seen seen;
  for (const double radius : {0.4e-3, 0.9e-3, 1.2e-3, 3e-3, 8e-3, 20e-3, 60e-3})
    for (const double speed : {0.0, 0.05, 0.5}) {
      SCOPED_TRACE(testing::Message() << radius << ", " << speed);
      ProximityScene scene = folded_mat(radius, speed);
      expect_guarded(&scene, &seen);
    }
  EXPECT_GT(seen.near, 5);
  EXPECT_GT(seen.apart, 10);
}

/// Of boxes that meet edge to edge no vertex is in a pair.
TEST(GuardSurfaces, SeeEdgesThatCross) {
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
      expect_guarded(&scene, &seen);
      Guarded guarded(&scene);
      OneLaneLauncher one_lane;
      guarded.is_apart(&one_lane);
      n_edges_alone += guarded.any_edge() && !guarded.any_vertex() ? 1 : 0;
    }
  EXPECT_GT(n_edges_alone, 2);
  EXPECT_GT(seen.apart, 1);
}

/// No point comes through a surface, as the host sees it, without being told.
TEST(GuardSurfaces, TellWhateverMayComeThrough) {
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
    std::vector<MissedPassage> missed;
    scene.search.find_passages({end, scene.v, scene.pose, scene.twist}, &missed);
    Guarded guarded(&scene);
    OneLaneLauncher one_lane;
    guarded.is_apart(&one_lane);
    const bool may_pass = guarded.may_pass(&one_lane, end);
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

TEST(GuardSurfaces, HaveNoRace) {
  for (const double radius : {1e-3, 8e-3}) {
    MimicLauncher launcher({.seed = 3});
    ProximityScene scene = folded_mat(radius, 0.1);
    OneLaneLauncher one_lane;
    Guarded guarded(&scene);
    EXPECT_EQ(guarded.is_apart(&launcher), guarded.is_apart(&one_lane));
    std::vector<Vec3d> end = scene.x;
    for (Vec3d& p : end)
      if (p.z > 5e-3) p.z -= 8e-3;
    EXPECT_EQ(guarded.may_pass(&launcher, end), guarded.may_pass(&one_lane, end));
    EXPECT_TRUE(launcher.conflicts().empty());
  }
}

}  // namespace
}  // namespace nodia
