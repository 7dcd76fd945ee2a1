/// Tests kernels for depths of soft bodies in obstacles against the host, bit for bit.
#include "kernels/step/depths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>

#include "host/base/aligned_vector.hpp"
#include "host/simulation/contact_finder.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/fem_random.hpp"
#include "tests/support/launchers.hpp"
#include "tests/support/random_obstacles.hpp"
#include "tests/support/soft_step.hpp"

namespace nodia::test {
namespace {

using EndOfStep = ContactFinder::EndOfStep;

/// A floor, a ball, a thin plate and a mesh, all of them moving.
std::vector<ObstacleDescription> obstacles(FemRandom* random, double time_s) {
  static const auto grid = std::make_shared<DistanceGrid>(l_grid());
  Shape ball, plate, mesh;
  ball.kind = ShapeKind::sphere;
  ball.radius = 0.02;
  plate.kind = ShapeKind::box;
  plate.size = {0.12, 0.1, 0.003};
  mesh.kind = ShapeKind::distance_grid;
  mesh.grid = grid->view();
  const auto orientation = [&] {
    return normalized({random->normal(), random->normal(), random->normal(), random->normal()});
  };
  std::vector<ObstacleDescription> all;
  for (const Shape& shape : {Shape{}, ball, plate, mesh}) {
    ObstacleDescription& o = all.emplace_back();
    o.name = "obstacle " + std::to_string(all.size());
    o.shape = shape;
    if (shape.kind == ShapeKind::distance_grid) o.grid = grid;
    const Vec3d from =
        shape.kind == ShapeKind::half_space ? Vec3d{0, 0, -0.03} : random->vector(0.03);
    const Quaternion q = shape.kind == ShapeKind::half_space ? Quaternion{} : orientation();
    const Quaternion turn = quaternion_exp(random->vector(0.3));
    o.path.keys = {{time_s - 0.11, from, q},
                   {time_s + 0.17, from + random->vector(0.05), turn * q}};
  }
  return all;
}

Scene make_scene(unsigned seed, const std::vector<std::array<int, 3>>& cells, int n_obstacle,
                 double time_s) {
  FemRandom random(seed);
  Scene scene;
  scene.name = "depths";
  scene.time.step_s = random.uniform(0.003, 0.02);
  scene.contact.margin_m = 1e-3;
  scene.contact.edges_at_obstacles = false;
  for (const std::array<int, 3>& n : cells) {
    SoftBodyDescription& body = scene.soft_bodies.emplace_back();
    body.name = "body " + std::to_string(scene.soft_bodies.size());
    body.mesh = box_of(n);
    body.pose.position = random.vector(0.03);
  }
  scene.obstacles = obstacles(&random, time_s);
  scene.obstacles.resize(static_cast<std::size_t>(n_obstacle));
  return scene;
}

/// Environment in the middle of a step.
struct Environment {
  Scene scene;
  BodySystem system;
  std::vector<Path> paths;
  ContactFinder finder;
  State state;
  std::vector<Vec3d> v_hat;
  StepContacts found;
  /// Null without obstacles.
  std::shared_ptr<const ObstacleContacts> fixed;
  std::vector<ObstacleMotion> motion;
  std::vector<std::int32_t> surface;  ///< these arrays as in SoftContacts
  std::vector<NodeRange> body;
  std::vector<double> extent;

  /// @param speed  speed of the fastest nodes; most are much slower [m/s]
  Environment(unsigned seed, const std::vector<std::array<int, 3>>& cells, int n_obstacle,
              double speed)
      : scene(make_scene(seed, cells, n_obstacle, kTime)),
        system(scene),
        paths(paths_of(scene)),
        finder(scene, paths, system) {
    TopologyPool pool;
    system.fix_topology({}, &pool);
    state = system.initial_state();
    state.time_s = kTime;
    FemRandom random(seed + 50);
    std::vector<Vec3d> v_free;
    for (std::size_t i = 0; i < state.x.size(); ++i) {
      state.x[i] += random.vector(2e-3);
      state.v[i] = random.vector(0.3);
      v_free.push_back(random.vector(0.3));
      v_hat.push_back(random.vector(i % 5 == 0 ? speed : i % 5 == 1 ? 0.1 * speed : 0.05));
    }
    system.update_kinematics(state);
    fixed = finder.obstacle_contacts(system);
    finder.obstacle_motions(state, system, &motion);
    finder.find(state, system, v_free, {}, 1, &found);
    for (const SoftBodyDescription& own : scene.soft_bodies) add_body(own);
  }
  Environment(const Environment&) = delete;  // the system refers to the scene
  Environment& operator=(const Environment&) = delete;

  int n_node() const { return static_cast<int>(state.x.size()); }
  int n_obstacle() const { return static_cast<int>(paths.size()); }
  int n_body() const { return static_cast<int>(scene.soft_bodies.size()); }

  /// Depth of a body at an obstacle, if evaluate() gives `out`.
  SoftDepth depth(const EndOfStep& out, int b, int k) const {
    const Objects objects(scene);
    const auto of = [&](const std::vector<ObjectOverlap>& all) {
      for (const ObjectOverlap& o : all)
        if (o.i == objects.find(scene.soft_bodies[b].name) &&
            o.j == objects.find(scene.obstacles[k].name))
          return o.depth_m;
      return 0.0;
    };
    return {of(out.overlaps), of(out.missed)};
  }

  /// Values of the host. @param Real  type of v_hat
  template <class Real>
  EndOfStep by_host() {
    std::vector<Vec3d> v;
    for (const Vec3d& a : v_hat) v.push_back(cast<double>(cast<Real>(a)));
    State end = state;
    EXPECT_TRUE(system.advance(v.data(), 1, &end));
    // The clock counts steps.
    end.time_s = std::nextafter(state.time_s + scene.time.step_s, 10);
    system.update_kinematics(end);
    EndOfStep out;
    finder.evaluate(end, system, found, &out);
    return out;
  }

 private:
  static constexpr double kTime = 0.3;

  /// Adds a body with the values that it has alone.
  void add_body(const SoftBodyDescription& own) {
    Scene alone = scene;
    alone.soft_bodies = {own};
    TopologyPool pool;
    BodySystem of_body(alone);
    of_body.fix_topology({}, &pool);
    ContactFinder its(alone, paths, of_body);
    const auto n_node = static_cast<std::int32_t>(own.mesh.nodes.size()),
               first = static_cast<std::int32_t>(surface.size());
    surface.insert(surface.end(), own.mesh.nodes.size(), static_cast<std::int32_t>(body.size()));
    body.push_back({first, first + n_node});
    if (const auto contacts = its.obstacle_contacts(of_body))
      extent.insert(extent.end(), contacts->extent.begin(),
                    contacts->extent.begin() + contacts->n_obstacle());
  }
  static std::vector<Path> paths_of(const Scene& scene) {
    std::vector<Path> paths;
    for (const ObstacleDescription& o : scene.obstacles) paths.push_back(o.path);
    return paths;
  }
};

constexpr SoftDepth kUntouched{-7, -7};

/// Environments in the memory of a launcher.
template <class Precision>
struct DepthDevice {
  using Real = typename Precision::Real;
  struct Arrays {
    std::vector<std::int32_t> row;
    std::array<AlignedVector<Real>, 4> node;
    VfpiControl control;
    std::vector<Vec3d> x;
    std::vector<ObstaclePose> obstacle;
    std::vector<std::uint8_t> flag, may_collide;
    std::vector<std::int32_t> surface;
    std::vector<SoftDepth> chunk, depth;
  };
  std::deque<Arrays> arrays;
  std::vector<VfpiEnvironment<Precision>> env;
  std::vector<SoftRows> soft;
  std::vector<SoftContacts> contacts;
  SoftStepBatch<Precision> batch;

  explicit DepthDevice(const std::deque<Environment>& of) {
    for (const Environment& e : of) add(e);
    batch.n_env = static_cast<int>(env.size());
    batch.env = env.data();
    batch.soft = soft.data();
    batch.contacts = contacts.data();
  }

  void rest(int e) { contacts[e].near.n_node = 0; }

  template <class Launcher>
  void launch(Launcher* launcher) {
    if constexpr (std::is_same_v<Launcher, RaceDetector>) {
      const auto name = [&](const char* what, auto& array) {
        if (!array.empty())
          launcher->name_region(array.data(), array.size() * sizeof(array[0]), what);
      };
      for (Arrays& a : arrays) {
        for (auto& role : a.node) name("node", role);
        launcher->name_region(&a.control, sizeof a.control, "control");
        name("x", a.x);
        name("obstacle", a.obstacle);
        name("flag", a.flag);
        name("chunk", a.chunk);
        name("depth", a.depth);
      }
    }
    launch_depths(*launcher, batch);
  }

 private:
  void add(const Environment& of) {
    Arrays& a = arrays.emplace_back();
    const int e = static_cast<int>(env.size()), n_node = of.n_node(),
              n_chunk = item_count(n_node) + 1;
    VfpiEnvironment<Precision>& own = env.emplace_back();
    own.n_chunk = n_chunk;
    own.control = &a.control;
    a.control.solution = static_cast<std::uint8_t>(e % 4);
    for (int role = 0; role < 4; ++role) {
      a.node[role].assign(static_cast<std::size_t>(kNodeStride) * n_chunk * kBlockLanes, Real(-7));
      own.node[role] = a.node[role].data();
    }
    // Rows are in another order than nodes, with gaps.
    for (int i = 0; i < n_node; ++i) {
      a.row.push_back(n_chunk * kBlockLanes - 3 - i);
      store_state<Real>(own, own.node[a.control.solution], a.row.back(), cast<Real>(of.v_hat[i]),
                        DirectMemory{});
    }
    a.x = of.state.x;
    for (std::size_t k = 0; k < of.motion.size(); ++k)
      a.obstacle.push_back({of.scene.obstacles[k].shape, of.motion[k].now, of.motion[k].next});
    a.flag.assign(static_cast<std::size_t>(n_node) * of.n_obstacle(), 0);
    for (const SurfacePair& pair : of.found.pairs)
      if (pair.rule == PairRule::node)
        a.flag[pair.i.node[0] * of.n_obstacle() + pair.surface_j - of.n_body()] = 1;
    SoftRows& s = soft.emplace_back();
    s.model = of.system.soft_bodies().model().view();
    s.step = of.scene.time;
    s.x = &a.x[0].x;
    SoftContacts& c = contacts.emplace_back();
    c.row = a.row.data();
    c.n_body = of.n_body();
    c.body = of.body.data();
    c.near.n_node = n_node;
    c.near.n_obstacle = of.n_obstacle();
    c.near.reach = {of.scene.contact.margin_m, of.scene.time.step_s};
    c.near.flag = a.flag.data();
    c.near.obstacle = a.obstacle.data();
    a.surface = of.surface;
    a.may_collide.assign(static_cast<std::size_t>(of.n_body()) * of.n_obstacle(), 1);
    c.surface = a.surface.data();
    c.may_collide = a.may_collide.data();
    c.extent = of.extent.data();
    a.chunk.assign(static_cast<std::size_t>(body_chunk_count(n_node, c.n_body)) * of.n_obstacle(),
                   {-7, -7});
    a.depth.assign(static_cast<std::size_t>(of.n_body()) * of.n_obstacle(), kUntouched);
    c.chunk_depth = a.chunk.data();
    c.depth = a.depth.data();
    batch.n_node = std::max(batch.n_node, n_node);
    batch.n_body = std::max(batch.n_body, of.n_body());
    batch.n_obstacle = std::max(batch.n_obstacle, of.n_obstacle());
    batch.n_chunk = std::max(batch.n_chunk, n_chunk);
  }
};

/// Different numbers of nodes, bodies and obstacles; nodes move a millimetre or some decimetres.
std::deque<Environment> environments(unsigned seed) {
  std::deque<Environment> all;
  all.emplace_back(seed, std::vector<std::array<int, 3>>{{7, 7, 6}, {2, 3, 2}, {4, 1, 2}}, 4, 20);
  all.emplace_back(seed + 100, std::vector<std::array<int, 3>>{{3, 3, 3}}, 3, 8);
  all.emplace_back(seed + 200, std::vector<std::array<int, 3>>{{1, 1, 1}, {9, 9, 4}}, 2, 1);
  all.emplace_back(seed + 300, std::vector<std::array<int, 3>>{{2, 2, 2}}, 1, 30);
  all.emplace_back(seed + 400, std::vector<std::array<int, 3>>{{2, 2, 1}}, 0, 1);
  return all;
}

void expect_same(const std::vector<ObjectOverlap>& host, const std::vector<ObjectOverlap>& kernel) {
  ASSERT_EQ(host.size(), kernel.size());
  for (std::size_t k = 0; k < host.size(); ++k) {
    EXPECT_EQ(host[k].i, kernel[k].i);
    EXPECT_EQ(host[k].j, kernel[k].j);
    EXPECT_EQ(host[k].depth_m, kernel[k].depth_m);
    EXPECT_EQ(host[k].share, kernel[k].share);
  }
}

/// Numbers of observed cases.
struct Seen {
  int overlaps = 0, missed = 0, missed_without_overlap = 0;
};

template <class Precision, class Launcher>
void expect_the_hosts(std::deque<Environment>* of, const std::vector<EndOfStep>& host,
                      Launcher* launcher) {
  DepthDevice<Precision> device(*of);
  device.launch(launcher);
  for (std::size_t e = 0; e < host.size(); ++e) {
    SCOPED_TRACE(testing::Message() << "environment " << e);
    const Environment& own = (*of)[e];
    for (int b = 0; b < own.n_body(); ++b)
      for (int k = 0; k < own.n_obstacle(); ++k) {
        SCOPED_TRACE(testing::Message() << "body " << b << ", obstacle " << k);
        const SoftDepth want = own.depth(host[e], b, k),
                        found = device.arrays[e].depth[b * own.n_obstacle() + k];
        EXPECT_EQ(want.depth_m, found.depth_m);
        EXPECT_EQ(want.missed_m, found.missed_m);
      }
    // Depths of bodies that may collide with each other are reported separately.
    if (own.fixed == nullptr || own.fixed->soft_searches != nullptr) continue;
    EndOfStep out;
    out.overlaps.resize(3);  // is replaced
    own.finder.evaluate_from(*own.fixed, device.arrays[e].depth, {}, &out);
    expect_same(host[e].overlaps, out.overlaps);
    expect_same(host[e].missed, out.missed);
  }
}

template <class Precision>
void in_every_launcher(std::deque<Environment>* of, unsigned seed, Seen* seen) {
  std::vector<EndOfStep> host;
  for (Environment& e : *of) host.push_back(e.by_host<typename Precision::Real>());
  OneLaneLauncher one_lane;
  expect_the_hosts<Precision>(of, host, &one_lane);
  for (const CpuIsa isa : available_isas()) {
    SCOPED_TRACE(name_of(isa));
    const CpuLauncher in_packs(isa, 2);
    expect_the_hosts<Precision>(of, host, &in_packs);
  }
  RaceDetector detector({.seed = seed, .n_block = 4, .strict_regions = true});
  expect_the_hosts<Precision>(of, host, &detector);
  EXPECT_TRUE(detector.conflicts().empty());
  for (const EndOfStep& end : host) {
    seen->overlaps += static_cast<int>(end.overlaps.size());
    for (const ObjectOverlap& m : end.missed) {
      ++seen->missed;
      seen->missed_without_overlap +=
          std::none_of(end.overlaps.begin(), end.overlaps.end(),
                       [&](const ObjectOverlap& o) { return o.i == m.i && o.j == m.j; });
    }
  }
}

TEST(SoftDepths, HaveTheBitsOfTheHosts) {
  Seen seen;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::deque<Environment> of = environments(seed);
    {
      SCOPED_TRACE("double");
      in_every_launcher<DoublePrecision>(&of, seed, &seen);
    }
    {
      SCOPED_TRACE("mixed");
      in_every_launcher<MixedPrecision>(&of, seed, &seen);
    }
    {
      SCOPED_TRACE("float");
      in_every_launcher<FloatPrecision>(&of, seed, &seen);
    }
  }
  EXPECT_GT(seen.overlaps, 100);
  EXPECT_GT(seen.missed, 100);
  EXPECT_GT(seen.missed_without_overlap, 3);  // tunnelled through and out on the other side
}

TEST(SoftDepths, LeaveOutOfTheTunnellingWhatWasNear) {
  int n_deeper = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const std::deque<Environment> of = environments(seed);
    DepthDevice<DoublePrecision> device(of), none_near(of);
    for (auto& a : none_near.arrays) std::fill(a.flag.begin(), a.flag.end(), std::uint8_t{0});
    OneLaneLauncher launcher;
    device.launch(&launcher);
    none_near.launch(&launcher);
    for (std::size_t e = 0; e < of.size(); ++e)
      for (std::size_t k = 0; k < device.arrays[e].depth.size(); ++k) {
        const SoftDepth a = device.arrays[e].depth[k], b = none_near.arrays[e].depth[k];
        EXPECT_EQ(a.depth_m, b.depth_m);
        EXPECT_LE(a.missed_m, b.missed_m);
        n_deeper += a.missed_m < b.missed_m;
      }
  }
  EXPECT_GT(n_deeper, 3);
}

TEST(SoftDepths, AreZeroWhereSurfacesDoNotMeetAndStayWhereAnEnvironmentRests) {
  const std::deque<Environment> of = environments(3);
  DepthDevice<DoublePrecision> all(of), some(of);
  some.rest(1);
  some.arrays[0].may_collide[1 * 4 + 2] = 0;  // body 1 at obstacle 2
  for (std::int32_t& surface : some.arrays[2].surface)
    if (surface == 1) surface = -1;
  RaceDetector detector({.seed = 1, .n_block = 3, .strict_regions = true});
  all.launch(&detector);
  some.launch(&detector);
  EXPECT_TRUE(detector.conflicts().empty());
  int n_left_out = 0;
  for (std::size_t e = 0; e < of.size(); ++e)
    for (std::size_t k = 0; k < all.arrays[e].depth.size(); ++k) {
      SCOPED_TRACE(testing::Message() << "environment " << e << ", pair " << k);
      const SoftDepth a = all.arrays[e].depth[k], b = some.arrays[e].depth[k];
      const bool is_left_out = (e == 0 && k == 6) || (e == 2 && k >= 2);
      const SoftDepth want = e == 1 ? kUntouched : is_left_out ? SoftDepth{} : a;
      EXPECT_EQ(b.depth_m, want.depth_m);
      EXPECT_EQ(b.missed_m, want.missed_m);
      n_left_out += is_left_out && a.depth_m + a.missed_m > 0;
    }
  EXPECT_GT(n_left_out, 1);
}

TEST(SoftDepths, OfAnObstacleThatMovesAreThoseAtItsEndInTheStep) {
  const std::deque<Environment> of = environments(1);
  int n_other = 0;
  for (const Environment& e : of)
    for (std::size_t k = 0; k < e.paths.size(); ++k) {
      const double end_s = e.state.time_s + e.scene.time.step_s;
      const Vec3d end = e.motion[k].next.position;
      EXPECT_EQ(norm(e.paths[k].at(end_s).position - end), 0);
      n_other += norm(e.paths[k].at(std::nextafter(end_s, 10)).position - end) != 0;
    }
  EXPECT_GT(n_other, 0);  // by_host() evaluates at that time
}

}  // namespace
}  // namespace nodia::test
