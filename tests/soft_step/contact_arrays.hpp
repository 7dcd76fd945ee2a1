/// Contacts of soft nodes in the middle of a step: as the host finds and lays them out, and what
/// kernels make them of.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <deque>
#include <map>

#include "fem/mesh/meshers.hpp"
#include "host/errors/errors.hpp"
#include "host/simulation/contact_finder.hpp"
#include "host/simulation/contact_rules.hpp"
#include "host/simulation/targets.hpp"
#include "host/solvers/cond/loop_problem.hpp"
#include "kernels/mimic/launcher.hpp"
#include "kernels/soft_step/contacts.hpp"
#include "kernels/vfpi/assemble_planes.hpp"
#include "tests/support/fem_random.hpp"
#include "tests/support/launchers.hpp"

namespace nodia::test {

/// Lanes in packs.
struct PackLauncher {
  template <class Kernel>
  void launch(const char*, const Kernel& kernel, int n_item) const {
    for (int item = 0; item < n_item; ++item) run_item<Portable>(kernel, item);
  }
};

inline ObstacleDescription obstacle(const char* name, ShapeKind kind, Vec3d from, Vec3d to) {
  ObstacleDescription o;
  o.name = name;
  o.shape.kind = kind;
  o.path.keys = {{0, from, {}}, {0.5, to, quaternion_exp({0, 0.3, 0})}};
  return o;
}

inline Scene make_scene(unsigned seed, TimeStep step, int n_obstacle, std::array<int, 3> cells) {
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
  /// Per environment, behind its other contacts: what a device makes of them, but for numbers of
  /// points.
  std::vector<std::vector<PairContact>> pairs;

  /// @param n_pair  of soft surfaces, of the largest environment
  explicit Problem(unsigned seed, int n_pair = 0) {
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
    int n_node = 0;
    for (const Environment& e : env) n_node += e.n_node();
    for (const Environment& e : env) {
      const std::ptrdiff_t n_value = 9 * std::ptrdiff_t{e.A.pattern->n_block()};
      std::copy_n(e.A.value.begin(), n_value, p.A.value.begin() + first_value);
      first_value += n_value;
      add_contacts(e, &random);
      add_pairs(e, n_node, e.rests ? 0 : n_pair * e.n_node() / env[0].n_node(), &random);
      p.b.insert(p.b.end(), e.b.begin(), e.b.end());
      p.env_node_begin.push_back(p.n_node());
      p.env_contact_begin.push_back(p.n_contact());
      p.env_point_begin.push_back(p.points.size());
    }
    if (p.points.size() == 0) p.env_point_begin = {0};
    p.mass.assign(p.b.size(), 1.0);
    p.derive_topology();
    warm.v.resize(p.b.size());
    if (n_pair == 0) return;
    // An answer of any precision.
    for (Vec3d& v : warm.v) v = cast<double>(cast<float>(random.vector(0.5)));
    find_compliance();
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

  /// A side of a pair of some of few nodes, and its number in the problem.
  std::int32_t add_side(std::vector<std::int32_t>* nodes, int n, int first, int n_node,
                        FemRandom* random, PairSide* side) {
    side->n = n;
    double sum = 0;
    for (int k = 0; k < n; ++k) {
      side->node[k] = nodes->back();
      nodes->pop_back();
      sum += side->weight[k] = random->uniform(0.1, 1);
    }
    std::sort(side->node, side->node + n);
    if (!side->is_point()) {
      side->weight[0] = 1;
      return first + side->node[0];
    }
    for (int k = 0; k < n; ++k) {
      side->weight[k] /= sum;
      p.points.add(first + side->node[k], side->weight[k] * Mat3d::identity());
    }
    return n_node + p.points.finish();
  }

  /// @param n_node  of all environments
  void add_pairs(const Environment& e, int n_node, int n, FemRandom* random) {
    const int first = p.n_node();
    pairs.emplace_back();
    for (int m = 0; m < n; ++m) {
      std::vector<std::int32_t> nodes;
      while (nodes.size() < kPairNodes) {
        const auto node =
            static_cast<std::int32_t>(random->uniform(0, 1) * random->uniform(0, e.n_node()));
        if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
      }
      PairContact pair;
      pair.contact.R = random->rotation();
      pair.contact.phi = random->vector(0.3);
      pair.contact.mu1 = random->uniform(0, 1);
      pair.contact.mu2 = random->uniform(0, 1);
      pair.lambda = m % 4 == 1 ? Vec3d{} : random->vector(3);
      const bool of_edges = m % 3 == 0;
      Contact<double> c = pair.contact;
      c.side_i = add_side(&nodes, of_edges ? 2 : 1, first, n_node, random, &pair.side[0]);
      c.side_j =
          add_side(&nodes, of_edges ? 2 : 1 + m % 4 % 3, first, n_node, random, &pair.side[1]);
      p.contacts.push_back(c);
      place.push_back(-1);
      warm.lambda.push_back(pair.lambda);
      pairs.back().push_back(pair);
    }
  }

  void find_compliance() {
    const std::vector<Vec3d> compliance = delassus_diagonal_estimate(p);
    Nodalization nodes;
    nodalize(p, compliance, CondOptions{}, &nodes);
    for (std::size_t e = 0; e < env.size(); ++e) {
      auto m = static_cast<std::size_t>(p.env_contact_begin[e + 1]) - pairs[e].size();
      for (PairContact& pair : pairs[e]) {
        pair.compliance = compliance[m];
        const std::int32_t side[] = {p.contacts[m].side_i, p.contacts[m].side_j};
        for (int k = 0; k < 2; ++k)
          if (p.is_point(side[k]))
            pair.gain[k] = nodes.gain[static_cast<std::size_t>(side[k] - p.n_node())];
        ++m;
      }
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
  if (env.n_virtual > 0) {
    add(env.softness[slot]);
    for (int k = 0; k < kNodeStride; ++k) add(env.phi[kNodeStride * slot + k]);
    for (int k = 0; k < kNodeStride; ++k) add(env.bias_lambda[kNodeStride * slot + k]);
  }
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
      for (int k = env.rare[r].begin; k < env.rare[r].end; ++k) {
        const std::int32_t entry = env.rare[r].coupled != 0 ? env.coupled_entry[k] : 2 * k;
        rows[env.rare[r].row].push_back(bits_of_slot(env, entry / 2));
        if (env.rare[r].coupled != 0) rows[env.rare[r].row].back().push_back(entry % 2);
      }
    }
  }
  return rows;
}

inline constexpr int kGuard = 64;  ///< values behind every array that stay as they are

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

/// Room for all contacts of the problems.
inline constexpr int kRoom = 640;

}  // namespace nodia::test
