/// Contacts of soft nodes with obstacles as kernels against those that the host finds and lays out,
/// bit for bit.
#include "kernels/soft_step/contacts.hpp"
#include "kernels/vfpi/assemble_planes.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <deque>
#include <map>

#include "fem/mesh/meshers.hpp"
#include "host/simulation/contact_finder.hpp"
#include "host/simulation/contact_rules.hpp"
#include "host/simulation/targets.hpp"
#include "host/solvers/cond/loop_problem.hpp"
#include "kernels/launch/select_flagged.hpp"
#include "kernels/mimic/launcher.hpp"
#include "kernels/soft_step/kept_forces.hpp"
#include "tests/support/fem_random.hpp"
#include "tests/support/launchers.hpp"

namespace nodia::test {
namespace {

/// Lanes in packs.
struct PackLauncher {
  template <class Kernel>
  void launch(const char*, const Kernel& kernel, int n_item) const {
    for (int item = 0; item < n_item; ++item) run_item<Portable>(kernel, item);
  }
};

ObstacleDescription obstacle(const char* name, ShapeKind kind, Vec3d from, Vec3d to) {
  ObstacleDescription o;
  o.name = name;
  o.shape.kind = kind;
  o.path.keys = {{0, from, {}}, {0.5, to, quaternion_exp({0, 0.3, 0})}};
  return o;
}

Scene make_scene(unsigned seed, TimeStep step, int n_obstacle, std::array<int, 3> cells) {
  FemRandom random(seed);
  Scene scene;
  scene.name = "contacts";
  static_cast<TimeStep&>(scene.time) = step;
  scene.contact.margin_m = 2e-3;
  for (int k = 0; k < 2; ++k) {
    SoftBodyDescription body;
    body.name = "body " + std::to_string(k);
    body.mesh = mesh_box({0.01 * cells[0], 0.01 * cells[1], 0.01 * cells[2]}, cells);
    body.material.youngs_modulus_Pa = std::pow(10, random.uniform(3, 6));
    body.pose.position = {-0.03 + 0.045 * k, -0.03, -0.004};
    body.friction = random.uniform(0, 1);
    scene.soft_bodies.push_back(body);
  }
  ObstacleDescription floor = obstacle("floor", ShapeKind::half_space, {}, {0, 0, 0.02});
  ObstacleDescription ball =
      obstacle("ball", ShapeKind::sphere, {0, 0, 0.01}, {0.1, 0, random.uniform(0, 0.1)});
  ball.shape.radius = 0.025;
  ball.restitution = 0.5;
  ObstacleDescription box = obstacle("box", ShapeKind::box, {0.02, 0, 0}, {0.02, 0, 0});
  box.shape.size = {0.03, 0.04, 0.03};
  scene.obstacles = {floor, ball, box};
  scene.obstacles.resize(static_cast<std::size_t>(n_obstacle));
  if (n_obstacle > 1) scene.friction_pairs.push_back({"body 0", "ball", 0.2, 0.7, {1, 1, 0}});
  return scene;
}

/// A scene in the middle of a step: what the host finds there.
struct Environment {
  Scene scene;
  BodySystem system;
  std::vector<Path> paths;
  State state;
  std::vector<Vec3d> v_free, b;
  BlockMatrix A;
  StepContacts found;
  std::vector<std::int32_t> surface;  ///< as in SoftContacts, likewise the next two
  std::vector<std::uint8_t> meets;
  std::vector<ContactRule> rule;
  std::vector<ObstaclePose> pose;
  bool rests = false;

  Environment(unsigned seed, TimeStep step, int n_obstacle, std::array<int, 3> cells)
      : scene(make_scene(seed, step, n_obstacle, cells)), system(scene) {
    TopologyPool pool;
    system.fix_topology({}, &pool);
    state = system.initial_state();
    FemRandom random(seed + 50);
    for (std::size_t i = 0; i < state.x.size(); ++i) {
      state.x[i] += random.vector(1e-3);
      state.v[i] = random.vector(0.5);
      v_free.push_back(random.vector(0.5));
    }
    system.update_kinematics(state);
    A = BlockMatrix(system.pattern());
    b.resize(state.x.size());
    const std::vector<double> diagonal(b.size());
    const std::vector<Vec3d> force(b.size());
    system.assemble({state, Targets(scene, system), diagonal, force, 1, nullptr}, A.value.data(),
                    b.data());
    for (const ObstacleDescription& o : scene.obstacles) paths.push_back(o.path);
    ContactFinder finder(scene, paths, system);
    finder.find(state, system, v_free, 1, &found);
    describe_surfaces();
  }
  Environment(const Environment&) = delete;  // the system knows the scene
  Environment& operator=(const Environment&) = delete;

  int n_node() const { return static_cast<int>(state.x.size()); }
  int n_obstacle() const { return static_cast<int>(paths.size()); }
  int n_place() const { return n_node() * n_obstacle(); }
  /// Place of a pair that was found; -1 where it is another one's, or its surfaces are said not to
  /// meet.
  int place(const SurfacePair& pair) const {
    if (pair.rule != PairRule::node) return -1;
    const int node = pair.i.node[0], k = pair.surface_j - 2;
    const bool meet = surface[node] >= 0 && meets[surface[node] * n_obstacle() + k] != 0;
    return rests || !meet ? -1 : node * n_obstacle() + k;
  }

 private:
  void describe_surfaces() {
    const FrictionTable friction(scene);
    const Objects objects(scene);
    meets.assign(2 * paths.size(), 1);
    for (const BodyRange& body : system.layout().bodies())
      surface.insert(surface.end(), body.end_row() - body.first_row,
                     surface.empty() ? 0 : 1 + surface.back());
    for (const SoftBodyDescription& body : scene.soft_bodies)
      for (const ObstacleDescription& o : scene.obstacles)
        rule.push_back(contact_rule(friction.of(objects.find(body.name), objects.find(o.name)),
                                    o.restitution));
    for (const ObstacleDescription& o : scene.obstacles)
      pose.push_back(
          {o.shape, o.path.at(state.time_s), o.path.at(state.time_s + scene.time.step_s)});
  }
};

/// Environments side by side, and the problem that they are on the host.
struct Problem {
  std::deque<Environment> env;
  ContactProblem p;
  WarmStart warm;
  std::vector<int> place;                 ///< of every contact
  std::vector<std::vector<double>> kept;  ///< per environment

  explicit Problem(unsigned seed) {
    FemRandom random(seed + 9);
    p.step_s = random.uniform(0.001, 0.01);
    p.theta = seed % 2 == 0 ? 1 : random.uniform(0.5, 0.9);
    const TimeStep step{p.step_s, p.theta};
    env.emplace_back(seed, step, 3, std::array{6, 5, 4});
    env.emplace_back(seed + 1, step, 3, std::array{3, 5, 3});
    env.emplace_back(seed, step, 3, std::array{2, 2, 2});
    env.emplace_back(seed + 3, step, 1, std::array{4, 4, 4});
    env.emplace_back(seed + 4, step, 0, std::array{2, 1, 1});
    env[1].meets[2] = 0;
    env[2].rests = true;
    for (std::int32_t& surface : env[3].surface)
      if (surface == 1) surface = -1;
    std::vector<std::shared_ptr<const BlockPattern>> patterns;
    for (const Environment& e : env) patterns.push_back(e.system.pattern());
    p.A = BlockMatrix(BlockPattern::concatenate(patterns));
    std::ptrdiff_t first_value = 0;
    for (const Environment& e : env) {
      const std::ptrdiff_t n_value = 9 * std::ptrdiff_t{e.A.pattern->n_block()};
      std::copy_n(e.A.value.begin(), n_value, p.A.value.begin() + first_value);
      first_value += n_value;
      add_contacts(e, &random);
      p.b.insert(p.b.end(), e.b.begin(), e.b.end());
      p.env_node_begin.push_back(p.n_node());
      p.env_contact_begin.push_back(p.n_contact());
    }
    p.mass.assign(p.b.size(), 1.0);
    p.derive_topology();
    warm.v.resize(p.b.size());
  }

 private:
  void add_contacts(const Environment& e, FemRandom* random) {
    const int first = p.n_node();
    kept.emplace_back(3 * static_cast<std::size_t>(e.n_place()));
    for (std::size_t m = 0; m < e.found.contacts.size(); ++m) {
      const int at = e.place(e.found.pairs[m]);
      if (at < 0) continue;
      Contact<double> c = e.found.contacts[m];
      c.side_i += first;
      p.contacts.push_back(c);
      place.push_back(at);
      warm.lambda.push_back(m % 3 == 0 ? Vec3d{} : random->vector(3));
      for (int axis = 0; axis < 3; ++axis) kept.back()[3 * at + axis] = warm.lambda.back()[axis];
    }
  }
};

using Bits = std::vector<std::uint64_t>;

/// A slot in every array, key left out.
template <class Precision>
Bits bits_of_slot(const VfpiEnvironment<Precision>& env, int slot) {
  Bits bits;
  const auto add = [&](double x) { bits.push_back(std::bit_cast<std::uint64_t>(x)); };
  const auto& c = env.contact[slot];
  add(c.side_i);
  add(c.side_j);
  for (int k = 0; k < 9; ++k) add(c.R(k / 3, k % 3));
  for (int k = 0; k < 3; ++k) add(c.phi[k]);
  add(c.mu1);
  add(c.mu2);
  add(env.compliance[slot]);
  for (int k = 0; k < kNodeStride; ++k) add(env.lambda[kNodeStride * slot + k]);
  const auto* plane = env.contact_plane + kContactPlanes * (slot / kSliceRows * kSliceRows);
  for (int k = 0; k < kContactPlanes; ++k) add(plane[k * kSliceRows + slot % kSliceRows]);
  return bits;
}

/// By row its contacts in their order.
template <class Precision>
std::map<int, std::vector<Bits>> contacts_of_rows(const VfpiEnvironment<Precision>& env) {
  std::map<int, std::vector<Bits>> rows;
  for (int slice = 0; slice < env.n_chunk * kBlockLanes / kSliceRows; ++slice) {
    for (int l = 0; l < kSliceRows && env.contact_slice[slice] >= 0; ++l)
      if (const int slot = env.contact_slice[slice] + l; env.contact[slot].side_i != kWorld)
        rows[slice * kSliceRows + l].push_back(bits_of_slot(env, slot));
    for (int r = env.rare_begin[slice]; r < env.rare_begin[slice + 1]; ++r) {
      EXPECT_EQ(env.rare[r].row / kSliceRows, slice);
      EXPECT_EQ(env.rare[r].coupled, 0);
      for (int slot = env.rare[r].begin; slot < env.rare[r].end; ++slot)
        rows[env.rare[r].row].push_back(bits_of_slot(env, slot));
    }
  }
  return rows;
}

constexpr int kGuard = 64;  ///< values behind every array that stay as they are

/// Arrays of one environment that kernels/soft_step writes.
template <class Precision>
struct DeviceArrays {
  using Real = typename Precision::Real;
  std::vector<std::int32_t> row, contact_slice, rare_begin, slot;
  std::vector<RareRow> rare;
  AlignedVector<Real> contact_plane, lambda;
  std::vector<Contact<Real>> contact;
  std::vector<double> compliance, kept, largest;
  AlignedVector<double> partial;
  std::vector<std::uint8_t> flag;
  std::vector<PreparedObstacle> prepared;
  std::int32_t n_rare = -7;
};

/// Environments side by side as a launcher has them.
template <class Precision>
struct Device {
  using Real = typename Precision::Real;
  const Problem& problem;
  LoopProblem<Precision> host;
  std::vector<VfpiEnvironment<Precision>> env;
  std::deque<DeviceArrays<Precision>> arrays;
  std::vector<SoftRows> soft;
  std::vector<SoftContacts> contacts;
  std::deque<std::vector<std::int32_t>> node;
  std::deque<std::vector<PaddedNode>> padded_x, corner;
  std::deque<std::vector<Vec3d>> x, v, v_free;
  SoftStepBatch<Precision> batch;

  /// @param rare_capacity  of every environment
  Device(const Problem& of, int rare_capacity)
      : problem(of), host(common_options(), CondOptions{}) {
    host.set(problem.p, problem.warm);
    env = host.environments();
    for (std::size_t e = 0; e < env.size(); ++e) add(static_cast<int>(e), rare_capacity);
    batch.n_env = static_cast<int>(env.size());
    batch.soft = soft.data();
    batch.contacts = contacts.data();
    batch.env = env.data();
    batch.projection = host.options().projection;
    batch.omega = host.options().omega;
    evaluate();
  }

  static CommonOptions common_options() {
    CommonOptions options;
    options.invertible_omega_m_Ns = 1e-4;
    return options;
  }

  /// Where a mimicking launcher watches memory.
  void name(MimicLauncher* launcher) {
    const auto one = [&](const char* what, auto& array, std::size_t guard = 0) {
      if (array.size() > guard)
        launcher->name_region(array.data(), (array.size() - guard) * sizeof(array[0]), what);
    };
    one("env", env);
    for (std::size_t e = 0; e < env.size(); ++e) {
      DeviceArrays<Precision>& a = arrays[e];
      one("contact_slice", a.contact_slice, kGuard);
      one("rare_begin", a.rare_begin, kGuard);
      one("rare", a.rare, kGuard);
      one("contact_plane", a.contact_plane, kContactPlanes * kGuard);
      one("contact", a.contact, kGuard);
      one("compliance", a.compliance, kGuard);
      one("lambda", a.lambda, kNodeStride * kGuard);
      one("partial", a.partial);
      one("slot", a.slot, kGuard);
      one("kept", a.kept, kGuard);
      one("flag", a.flag);
      one("prepared", a.prepared);
      one("largest", a.largest);
      launcher->name_region(&a.n_rare, sizeof a.n_rare, "n_rare");
      one("obstacle", problem.env[e].pose);
      one("corner", corner[e]);
      one("x", x[e]);
      one("v", v[e]);
      one("v_free", v_free[e]);
      launcher->name_region(env[e].b, 3 * sizeof(Real) * env[e].n_chunk * kBlockLanes, "b");
    }
  }

 private:
  void add(int e, int rare_capacity) {
    const Environment& of = problem.env[e];
    VfpiEnvironment<Precision>& own = env[e];
    DeviceArrays<Precision>& a = arrays.emplace_back();
    const int n_row = own.n_chunk * kBlockLanes, n_slice = n_row / kSliceRows;
    own.n_slot = own.first_virtual_row + rare_capacity;
    own.rows_share_contacts = true;
    own.load = -1;
    a.contact_slice.assign(n_slice + kGuard, -7);
    a.rare_begin.assign(n_slice + 1 + kGuard, -7);
    a.rare.assign(rare_capacity / 2 + kGuard, RareRow{-7, -7, -7, -7});
    a.contact_plane.assign(kContactPlanes * (own.n_slot + kGuard), Real(-7));
    Contact<Real> stale;
    stale.side_i = stale.side_j = -7;
    a.contact.assign(own.n_slot + kGuard, stale);
    a.compliance.assign(own.n_slot + kGuard, -7);
    a.lambda.assign(kNodeStride * (own.n_slot + kGuard), Real(-7));
    a.partial.assign(kMaxSums * own.partial_stride(), 0.0);
    a.slot.assign(of.n_place() + kGuard, -7);
    a.kept = problem.kept[e];
    a.kept.resize(3 * of.n_place() + kGuard, -7);
    a.flag.assign(of.n_place(), 0);
    a.prepared.resize(of.n_obstacle());
    a.largest.resize(item_count(of.n_node()));
    own.contact_slice = a.contact_slice.data();
    own.rare_begin = a.rare_begin.data();
    own.rare = a.rare.data();
    own.contact_plane = a.contact_plane.data();
    own.contact = a.contact.data();
    own.compliance = a.compliance.data();
    own.lambda = a.lambda.data();
    own.partial = a.partial.data();
    x.push_back(of.state.x);
    v.push_back(of.state.v);
    v_free.push_back(of.v_free);
    node.push_back(host.rows().nodes(e));
    a.row.resize(of.n_node());
    for (int i = 0; i < of.n_node(); ++i)
      a.row[i] = host.rows().local_row(problem.p.env_node_begin[e] + i);

    SoftRows& s = soft.emplace_back();
    s.model = of.system.soft().view();
    s.step = of.scene.time;
    s.gravity = of.scene.gravity_m_s2;
    s.n_row = static_cast<int>(node.back().size());
    s.node = node.back().data();
    s.x = &x.back()[0].x;
    s.v = &v.back()[0].x;
    padded_x.emplace_back(of.n_node());
    corner.emplace_back(kSliceNodes * slice_count(s.model.n_tet));
    s.padded_x = scalars(padded_x.back());
    s.corner = scalars(corner.back());

    SoftContacts& c = contacts.emplace_back();
    c.near.n_node = of.rests ? 0 : of.n_node();
    c.near.n_obstacle = of.n_obstacle();
    c.near.reach = {of.scene.contact.margin_m, of.scene.time.step_s};
    c.near.x = {s.x, 3};
    c.near.v = {s.v, 3};
    c.near.v_free = {&v_free.back()[0].x, 3};
    c.near.obstacle = of.pose.data();
    c.near.largest_squared_speed = a.largest.data();
    c.near.prepared = a.prepared.data();
    c.near.flag = a.flag.data();
    c.row = a.row.data();
    c.surface = of.surface.data();
    c.meets = of.meets.data();
    c.rule = of.rule.data();
    c.times = contact_times(of.scene.time, of.scene.contact);
    c.v_free = &v_free.back()[0].x;
    c.kept = a.kept.data();
    c.slot = a.slot.data();
    c.rare_capacity = rare_capacity;
    c.n_rare = &a.n_rare;
    batch.n_node = std::max(batch.n_node, of.n_node());
    batch.n_obstacle = std::max(batch.n_obstacle, of.n_obstacle());
    batch.n_chunk = std::max(batch.n_chunk, own.n_chunk);
    batch.n_slot = std::max(batch.n_slot, own.n_slot);
  }

  void evaluate() {
    int n_tet = 0;
    for (const SoftRows& s : soft) n_tet = std::max(n_tet, s.model.n_tet);
    OneLaneLauncher launcher;
    launch_elements(launcher, "pad_nodes", PadNodes{}, soft.data(), batch.n_env, batch.n_node);
    launch_elements(launcher, "evaluate_soft_tets", EvaluateSoftTets{}, soft.data(), batch.n_env,
                    slice_count(n_tet) * kSliceTets);
  }
};

/// Slots that the host's contacts need on rows in several.
template <class Precision>
int rare_slots(const VfpiEnvironment<Precision>& env) {
  int n = 0;
  for (const auto& [row, contacts] : contacts_of_rows(env))
    if (contacts.size() > 1) n += static_cast<int>(contacts.size());
  return n;
}

template <class T>
bool untouched(const T* guard, int n, double value) {
  return std::all_of(guard, guard + n, [&](const T& x) { return x == static_cast<T>(value); });
}

/// Nothing was written behind the arrays.
template <class Precision>
void expect_guards(const Device<Precision>& device) {
  for (std::size_t e = 0; e < device.env.size(); ++e) {
    SCOPED_TRACE(e);
    const DeviceArrays<Precision>& a = device.arrays[e];
    const auto end = [](const auto& array, int n) { return array.data() + (array.size() - n); };
    EXPECT_TRUE(untouched(end(a.contact_slice, kGuard), kGuard, -7));
    EXPECT_TRUE(untouched(end(a.rare_begin, kGuard), kGuard, -7));
    EXPECT_TRUE(untouched(&end(a.rare, kGuard)->row, 4 * kGuard, -7));
    EXPECT_TRUE(
        untouched(end(a.contact_plane, kContactPlanes * kGuard), kContactPlanes * kGuard, -7));
    for (int k = 0; k < kGuard; ++k) EXPECT_EQ(end(a.contact, kGuard)[k].side_i, -7);
    EXPECT_TRUE(untouched(end(a.compliance, kGuard), kGuard, -7));
    EXPECT_TRUE(untouched(end(a.lambda, kNodeStride * kGuard), kNodeStride * kGuard, -7));
    EXPECT_TRUE(untouched(end(a.slot, kGuard), kGuard, -7));
    EXPECT_TRUE(untouched(end(a.kept, kGuard), kGuard, -7));
  }
}

template <class Precision>
void expect_contacts_of_the_host(const Device<Precision>& device) {
  const Problem& problem = device.problem;
  for (std::size_t e = 0; e < device.env.size(); ++e) {
    SCOPED_TRACE(e);
    const VfpiEnvironment<Precision>&own = device.env[e], &host = device.host.environments()[e];
    const auto rows = contacts_of_rows(own);
    EXPECT_TRUE(rows == contacts_of_rows(host));
    EXPECT_EQ(device.arrays[e].n_rare, rare_slots(host));
    EXPECT_EQ(own.rows_share_contacts, host.rows_share_contacts);
    EXPECT_EQ(own.load, host.load);
    // Every other slot is empty.
    std::size_t n_contact = 0, n_used = 0;
    for (const auto& [row, contacts] : rows) n_contact += contacts.size();
    VfpiEnvironment<Precision> none = own;
    typename Precision::Real zeros[kContactPlanes * kSliceRows] = {};
    Contact<typename Precision::Real> world;
    world.side_i = kWorld;
    const double zero = 0;
    none.contact = &world;
    none.compliance = const_cast<double*>(&zero);
    none.lambda = none.contact_plane = zeros;
    const Bits empty = bits_of_slot(none, 0);
    for (int slot = 0; slot < own.n_slot; ++slot) {
      if (own.contact[slot].side_i != kWorld)
        ++n_used;
      else
        EXPECT_EQ(bits_of_slot(own, slot), empty) << slot;
    }
    EXPECT_EQ(n_used, n_contact);
    if (problem.env[e].rests) continue;
    // Places know their slots.
    std::vector<std::uint8_t> near(problem.env[e].n_place());
    for (int m = problem.p.env_contact_begin[e]; m < problem.p.env_contact_begin[e + 1]; ++m)
      near[problem.place[m]] = 1;
    EXPECT_EQ(device.arrays[e].flag, near);
    for (int place = 0; place < problem.env[e].n_place(); ++place) {
      const std::int32_t slot = device.arrays[e].slot[place];
      ASSERT_EQ(slot >= 0, near[place] != 0) << place;
      if (slot < 0) continue;
      const int row = device.arrays[e].row[place / problem.env[e].n_obstacle()];
      EXPECT_EQ(own.contact[slot].side_i, row);
      const auto m = std::find(problem.place.begin() + problem.p.env_contact_begin[e],
                               problem.place.begin() + problem.p.env_contact_begin[e + 1], place) -
                     problem.place.begin();
      EXPECT_EQ(own.contact[slot].R(0, 0),
                static_cast<typename Precision::Real>(problem.p.contacts[m].R(0, 0)));
    }
  }
  expect_guards(device);
}

/// Room for all contacts of every problem below.
constexpr int kRoom = 640;

template <class Precision, class Launcher>
void expect_bits_of_the_host(const Problem& problem, Launcher* launcher) {
  Device<Precision> device(problem, kRoom);
  if constexpr (std::is_same_v<Launcher, MimicLauncher>) device.name(launcher);
  launch_contacts(*launcher, device.batch);
  expect_contacts_of_the_host(device);
}

template <class Launcher>
void expect_bits_of_the_host(const Problem& problem, Launcher* launcher) {
  expect_bits_of_the_host<DoublePrecision>(problem, launcher);
  expect_bits_of_the_host<MixedPrecision>(problem, launcher);
  expect_bits_of_the_host<FloatPrecision>(problem, launcher);
}

TEST(SoftContacts, ProblemsHaveRowsInNoneOneTwoAndThreeContacts) {
  const Problem problem(0);
  LoopProblem<DoublePrecision> host{CommonOptions{}, CondOptions{}};
  host.set(problem.p, problem.warm);
  std::map<std::size_t, int> rows;
  for (const auto& env : host.environments())
    for (const auto& [row, contacts] : contacts_of_rows(env)) ++rows[contacts.size()];
  EXPECT_GT(problem.env[0].n_node(), kBlockLanes);
  for (const std::size_t n : {1, 2, 3}) EXPECT_GT(rows[n], 10) << n;
  EXPECT_LT(rows[1] + rows[2] + rows[3], problem.p.n_node());
}

TEST(SoftContacts, HaveTheBitsOfTheHosts) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem(seed);
    OneLaneLauncher one_lane;
    expect_bits_of_the_host(problem, &one_lane);
    PackLauncher in_packs;
    expect_bits_of_the_host(problem, &in_packs);
  }
}

TEST(SoftContacts, AreFreeOfRacesAndOfAccessesOutOfBounds) {
  for (unsigned seed = 0; seed < 2; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem(seed);
    MimicLauncher launcher({.seed = seed + 1, .n_block = 4, .strict_regions = true});
    expect_bits_of_the_host(problem, &launcher);
    EXPECT_TRUE(launcher.conflicts().empty());
  }
}

TEST(SoftContacts, ThatFindNoRoomAreCountedAndNothingIsWrittenBehindIt) {
  const Problem problem(1);
  for (const int room : {0, 16, 48, 64, 160}) {
    SCOPED_TRACE(room);
    Device<MixedPrecision> device(problem, room);
    MimicLauncher launcher({.seed = 3, .n_block = 4, .strict_regions = true});
    device.name(&launcher);
    std::int32_t can_be_taken = -1;
    launcher.name_region(&can_be_taken, sizeof can_be_taken, "can_be_taken");
    device.batch.can_be_taken = &can_be_taken;
    launch_contacts(launcher, device.batch);
    EXPECT_TRUE(launcher.conflicts().empty());
    EXPECT_EQ(can_be_taken, 0);
    expect_guards(device);
    bool too_few = false;
    for (std::size_t e = 0; e < device.env.size(); ++e) {
      SCOPED_TRACE(e);
      const auto all = contacts_of_rows(device.host.environments()[e]),
                 some = contacts_of_rows(device.env[e]);
      EXPECT_EQ(device.arrays[e].n_rare, rare_slots(device.host.environments()[e]));
      EXPECT_EQ(device.env[e].rows_share_contacts, device.arrays[e].n_rare > 0);
      too_few = too_few || device.arrays[e].n_rare > room;
      // The first of the rows have theirs, in order.
      int used = 0;
      bool had_room = true;
      for (const auto& [row, contacts] : all) {
        const int n = static_cast<int>(contacts.size());
        if (n > 1) had_room = had_room && used + n <= room;
        if (n > 1) used += n;
        const auto found = some.find(row);
        EXPECT_EQ(found != some.end(), n == 1 || had_room) << row;
        if (found == some.end()) continue;
        EXPECT_EQ(found->second, contacts);
      }
      for (int place = 0; place < problem.env[e].n_place() && !problem.env[e].rests; ++place)
        EXPECT_LT(device.arrays[e].slot[place], device.env[e].n_slot);
    }
    EXPECT_TRUE(too_few);
  }
}

TEST(SoftContacts, OfARepeatedLaunchAreTheSame) {
  const Problem problem(2);
  Device<FloatPrecision> device(problem, kRoom);
  std::int32_t can_be_taken = 0;
  device.batch.can_be_taken = &can_be_taken;
  OneLaneLauncher launcher;
  launch_contacts(launcher, device.batch);
  launch_contacts(launcher, device.batch);
  expect_contacts_of_the_host(device);
  EXPECT_EQ(can_be_taken, 1);
  // One environment without room is enough.
  device.contacts.back().rare_capacity = -1;
  launch_contacts(launcher, device.batch);
  EXPECT_EQ(can_be_taken, 0);
}

/// The force that a step keeps of contact m, the loop having ended with `lambda`.
template <class Precision>
Vec3d kept_on_the_host(const Device<Precision>& device, std::size_t m, Vec3d lambda) {
  const Contact<double>& c = device.problem.p.contacts[m];
  if constexpr (std::is_same_v<typename Precision::Real, double>)
    return lambda;
  else
    return project(device.host.options().projection, lambda, c.mu1, c.mu2);
}

template <class Precision, class Launcher>
void expect_forces_of_the_host(const Problem& problem, Launcher* launcher) {
  using Real = typename Precision::Real;
  Device<Precision> device(problem, kRoom);
  if constexpr (std::is_same_v<Launcher, MimicLauncher>) device.name(launcher);
  launch_contacts(*launcher, device.batch);
  FemRandom random(4);
  for (DeviceArrays<Precision>& a : device.arrays)
    for (std::size_t k = 0; k < a.lambda.size() - kNodeStride * kGuard; ++k)
      a.lambda[k] = static_cast<Real>(random.uniform(-3, 3));
  launch_keep_forces(*launcher, device.batch);
  for (std::size_t e = 0; e < device.env.size(); ++e) {
    SCOPED_TRACE(e);
    const DeviceArrays<Precision>& a = device.arrays[e];
    std::vector<double> expected(3 * problem.env[e].n_place());
    if (problem.env[e].rests) expected = problem.kept[e];
    for (int m = problem.p.env_contact_begin[e]; m < problem.p.env_contact_begin[e + 1]; ++m) {
      const int place = problem.place[m];
      const Real* lambda = a.lambda.data() + kNodeStride * a.slot[place];
      const Vec3d force = kept_on_the_host(device, m, {lambda[0], lambda[1], lambda[2]});
      for (int axis = 0; axis < 3; ++axis) expected[3 * place + axis] = force[axis];
    }
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), a.kept.begin()));
  }
  expect_guards(device);
}

TEST(SoftContacts, KeepTheForcesOfTheLoop) {
  const Problem problem(3);
  OneLaneLauncher one_lane;
  expect_forces_of_the_host<DoublePrecision>(problem, &one_lane);
  expect_forces_of_the_host<MixedPrecision>(problem, &one_lane);
  expect_forces_of_the_host<FloatPrecision>(problem, &one_lane);
  MimicLauncher launcher({.seed = 3, .n_block = 4, .strict_regions = true});
  expect_forces_of_the_host<FloatPrecision>(problem, &launcher);
  EXPECT_TRUE(launcher.conflicts().empty());
}

TEST(SoftContacts, ForcesOfNearPlacesAreGatheredInTheOrderOfTheHostsPairs) {
  const Problem problem(1);
  Device<DoublePrecision> device(problem, kRoom);
  MimicLauncher launcher({.seed = 5, .n_block = 3, .strict_regions = true});
  device.name(&launcher);
  launch_contacts(launcher, device.batch);
  std::vector<std::uint8_t> flags;
  std::vector<std::int32_t> first;
  std::vector<double> kept;
  for (const DeviceArrays<DoublePrecision>& a : device.arrays) {
    first.push_back(static_cast<std::int32_t>(flags.size()));
    flags.insert(flags.end(), a.flag.begin(), a.flag.end());
    const auto n_number = 3 * static_cast<std::ptrdiff_t>(a.flag.size());
    kept.insert(kept.end(), a.kept.begin(), a.kept.begin() + n_number);
  }
  ASSERT_EQ(kept.size(), 3 * flags.size());
  std::vector<std::int32_t> flagged(flags.size());
  std::int32_t n_flagged = 0;
  select_flagged(flags.data(), static_cast<int>(flags.size()), flagged.data(), &n_flagged);
  ASSERT_EQ(n_flagged, problem.p.n_contact());
  ASSERT_GT(n_flagged, 300);
  for (const int capacity : {0, 1, 255, 256, 300, n_flagged, n_flagged + 500}) {
    SCOPED_TRACE(capacity);
    std::vector<double> force(3 * static_cast<std::size_t>(capacity));
    launcher.name_region(force.data(), force.size() * sizeof(double), "force");
    launcher.name_region(kept.data(), kept.size() * sizeof(double), "kept of all");
    launcher.name_region(flagged.data(), flagged.size() * sizeof(std::int32_t), "flagged");
    launcher.name_region(&n_flagged, sizeof n_flagged, "n_flagged");
    launch_near_forces(launcher,
                       NearForces{kept.data(), flagged.data(), &n_flagged, capacity, force.data()});
    int m = 0;
    for (int e = 0; e < device.batch.n_env; ++e)
      for (const SurfacePair& expected : problem.env[e].found.pairs) {
        const int place = problem.env[e].place(expected);
        if (place < 0 || m >= capacity) continue;
        EXPECT_EQ(flagged[m] - first[e], place);
        for (int axis = 0; axis < 3; ++axis)
          EXPECT_EQ(force[3 * m + axis], problem.warm.lambda[m][axis]);
        ++m;
      }
    EXPECT_EQ(m, std::min(capacity, n_flagged));
  }
  EXPECT_TRUE(launcher.conflicts().empty());
}

TEST(SoftContacts, TakeForcesThatTheHostSends) {
  const Problem problem(1);
  Device<DoublePrecision> device(problem, kRoom);
  const std::vector<std::int32_t> env{0, 3};
  const std::vector<PlacedForce> force{{0, 5, {1, 2, 3}},
                                       {3, problem.env[3].n_place() - 1, {4, 5, 6}}};
  MimicLauncher launcher({.seed = 5, .n_block = 3, .strict_regions = true});
  device.name(&launcher);
  GivenForces given;
  given.contacts = device.batch.contacts;
  given.n_place = problem.env[0].n_place();
  given.n_env = 2;
  given.env = env.data();
  given.n_force = 2;
  given.force = force.data();
  launch_given_forces(launcher, given);
  EXPECT_TRUE(launcher.conflicts().empty());
  for (std::size_t e = 0; e < device.env.size(); ++e) {
    SCOPED_TRACE(e);
    std::vector<double> expected = problem.kept[e];
    if (e == 0 || e == 3) std::fill(expected.begin(), expected.end(), 0.0);
    for (const PlacedForce& one : force)
      for (int axis = 0; axis < 3 && one.env == static_cast<int>(e); ++axis)
        expected[3 * one.place + axis] = one.force[axis];
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), device.arrays[e].kept.begin()));
  }
  expect_guards(device);
}

}  // namespace
}  // namespace nodia::test
