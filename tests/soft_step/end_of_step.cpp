/// Contacts in numbers, nodes, energies and what attachments exert at the end of a step, as kernels
/// against the host's, bit for bit.
#include "kernels/soft_step/end_of_step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "host/simulation/attachments.hpp"
#include "host/simulation/obstacle_force.hpp"
#include "host/solvers/cond/loop_problem.hpp"
#include "host/solvers/report.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/mimic/launcher.hpp"
#include "kernels/soft_step/contact_totals.hpp"
#include "kernels/soft_step/hold_totals.hpp"
#include "tests/support/launchers.hpp"
#include "tests/support/same_bits.hpp"
#include "tests/support/soft_step.hpp"

namespace nodia::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Of the nodes of a scene: three attachments whose frames move and turn, of all nodes of the first
/// body, of some of them, and of every body's; the second has let go.
class HeldNodes {
 public:
  HeldNodes(const SoftStepScene& scene, FemRandom* random) : scene_(scene.scene) {
    for (SoftBodyDescription& body : scene_.soft_bodies)
      for (std::int32_t i = 0; i < static_cast<std::int32_t>(body.mesh.nodes.size()); ++i) {
        body.mesh.node_sets["all"].push_back(i);
        if (i % 3 != 1) body.mesh.node_sets["some"].push_back(i);
      }
    for (std::size_t k = 0; k < 2 + scene_.soft_bodies.size(); ++k) {
      AttachmentDescription a;
      a.name = "attachment " + std::to_string(k);
      a.body = scene_.soft_bodies[k < 2 ? 0 : k - 2].name;
      a.node_set = k == 0 ? "all" : "some";
      a.stiffness_N_m = random->uniform(10, 1000);
      if (k == 1) a.release_time_s = 0;
      for (const double time_s : {-0.01, 0.05})
        a.path.keys.push_back({time_s, random->vector(0.1), quaternion(random)});
      scene_.attachments.push_back(a);
    }
    targets_ = Targets(scene_, scene.system);
    attachments_ = Attachments(scene_, targets_.attachments, scene.system, scene.state.x);
  }
  HeldNodes(const HeldNodes&) = delete;
  HeldNodes& operator=(const HeldNodes&) = delete;

  const Attachments& attachments() const { return attachments_; }

 private:
  static Quaternion quaternion(FemRandom* random) {
    const Vec3d v = random->vector(1);
    return {random->uniform(0.1, 1), v.x, v.y, v.z};
  }

  Scene scene_;
  Targets targets_;
  Attachments attachments_;
};

/// Arrays of the attachments of environments.
struct HeldArrays {
  std::vector<HoldStep> step;
  std::vector<std::uint8_t> is_holding;
  std::vector<Vec3d> begin, end;
  std::vector<Mat3d> begin_rotation, end_rotation;
  std::vector<HoldSums> chunk_sum, sum;
  std::int32_t end_slot = 0;
  HoldBatch batch;

  /// @param soft  of environments, out: their holds
  void make(std::vector<SoftRows>* soft) {
    int most_nodes = 0;
    for (std::size_t e = 0; e < step.size(); ++e) {
      const AttachmentHolds& holds = *step[e].holds;
      SoftHolds& own = (*soft)[e].holds;
      own.n_attachment = holds.n_attachment();
      own.n_hold = static_cast<std::int32_t>(holds.hold.size());
      own.first = static_cast<std::int32_t>(is_holding.size());
      own.hold = holds.hold.data();
      own.begin = holds.begin.data();
      own.stiffness_N_m = holds.stiffness_N_m.data();
      own.place = step[e].place->data();
      batch.n_attachment = std::max(batch.n_attachment, own.n_attachment);
      for (int a = 0; a < own.n_attachment; ++a) {
        most_nodes = std::max(most_nodes, holds.begin[a + 1] - holds.begin[a]);
        is_holding.push_back(step[e].is_holding[a]);
        begin.push_back(step[e].begin[a].position);
        begin_rotation.push_back(step[e].begin[a].rotation);
        end.push_back(step[e].end[a].position);
        end_rotation.push_back(step[e].end[a].rotation);
      }
    }
    batch.n_chunk = item_count(most_nodes);
    const HoldSums unknown{{kNaN, 0, 0}, {}, kNaN, kNaN};
    sum.assign(is_holding.size(), unknown);
    chunk_sum.assign(is_holding.size() * static_cast<std::size_t>(batch.n_chunk), unknown);
    batch.is_holding = is_holding.data();
    batch.frames[0] = {end.data(), end_rotation.data()};
    batch.frames[1] = {begin.data(), begin_rotation.data()};
    batch.end_slot = &end_slot;
    batch.chunk_sum = chunk_sum.data();
    batch.sum = sum.data();
  }
};

/// An environment after its step was solved and judged.
struct Solved {
  SoftStepScene scene;
  std::unique_ptr<HeldNodes> held;
  std::vector<PreparedObstacle> obstacle;
  std::vector<ContactRule> rule;
  std::vector<std::int32_t> surface, slot;  ///< slot: per place
  std::vector<Vec3d> kept;                  ///< likewise
  ContactTimes times;
  std::vector<Vec3d> v_hat;
  SolveStatus status = SolveStatus::converged;
  SoftJudgement judgement;
  bool rests = false;

  static constexpr int kSurfaces = 2;

  Solved(unsigned seed, const std::vector<TetMesh>& bodies, int n_obstacle)
      : scene(seed, bodies, SoftStepLoads::none) {
    FemRandom random(seed + 7);
    const double t = scene.scene.time.step_s;
    times = {t, scene.scene.time.theta, 0.01, 0.2, 1};
    for (int k = 0; k < n_obstacle; ++k) {
      ObstaclePose o;
      o.shape.kind = k % 2 == 0 ? ShapeKind::half_space : ShapeKind::sphere;
      o.shape.radius = 0.02;
      o.now = {random.vector(0.02), random.rotation()};
      o.next = {o.now.position + random.vector(0.001), o.now.rotation};
      obstacle.push_back(prepare_obstacle(o, 1, {0.01, t}));
    }
    for (int k = 0; k < kSurfaces * n_obstacle; ++k)
      rule.push_back({random.uniform(0, 1), random.uniform(0, 1),
                      k % 2 == 0 ? Vec3d{} : random.vector(1), random.uniform(0, 1)});
    for (int i = 0; i < n_node(); ++i) {
      surface.push_back(i % kSurfaces);
      v_hat.push_back(random.vector(2));
      const double share = i % 3 == 0 ? 0.9 : i % 3 == 1 ? 0.3 : 0;
      for (int k = 0; k < n_obstacle; ++k) {
        const bool touches = random.uniform(0, 1) < share;
        slot.push_back(touches ? static_cast<int>(random.uniform(0, 100)) : -1);
        kept.push_back(touches ? force_of(rule_of(i, k), &random) : Vec3d{kNaN, kNaN, kNaN});
      }
    }
    judgement.sums.dynamics = {1e-12, 3, 4};
    judgement.sums.contacts = {1e-8, 0.2, 0.3};
    held = std::make_unique<HeldNodes>(scene, &random);
  }

  int n_node() const { return static_cast<int>(scene.state.x.size()); }
  int n_obstacle() const { return static_cast<int>(obstacle.size()); }

  /// Without the loop's rows.
  SoftContacts make() const {
    SoftContacts c;
    c.near.n_node = rests ? 0 : n_node();
    c.near.n_obstacle = n_obstacle();
    c.near.reach = {0.01, scene.scene.time.step_s};
    c.near.prepared = const_cast<PreparedObstacle*>(obstacle.data());
    c.surface = surface.data();
    c.rule = rule.data();
    c.times = times;
    c.slot = const_cast<std::int32_t*>(slot.data());
    c.kept = const_cast<double*>(reinterpret_cast<const double*>(kept.data()));
    return c;
  }

 private:
  const ContactRule& rule_of(int node, int k) const {
    return rule[static_cast<std::size_t>(surface[node] * n_obstacle() + k)];
  }
  /// None, sticking, on the edge of the cone, or one that pulls.
  static Vec3d force_of(const ContactRule& rule, FemRandom* random) {
    const double n = random->uniform(1, 5), kind = random->uniform(0, 1);
    if (kind < 0.3) return {};
    if (kind < 0.6) return {n, 0.4 * rule.mu1 * n, -0.3 * rule.mu2 * n};
    if (kind < 0.9) return {n, rule.mu1 * n, 0};
    return {-n, 1, 1};
  }
};

/// What is known of an environment after the step.
struct Ended {
  std::vector<Vec3d> x;         ///< at the end; none where it is not reached
  std::vector<HoldSums> holds;  ///< likewise
  SoftEnd end;
};

/// @param v_hat  in the loop's precision
Ended by_host(Solved* s, const std::vector<Vec3d>& v_hat) {
  SoftStepArrays arrays;
  const SoftRows soft = arrays.make(s->scene);
  SoftContacts made = s->make();
  std::vector<std::int32_t> row(static_cast<std::size_t>(s->n_node()));
  std::iota(row.begin(), row.end(), 0);
  made.row = row.data();
  std::vector<Contact<double>> contacts;
  std::vector<Vec3d> lambda, on_side;
  Ended ended;
  for (int place = 0; place < s->n_node() * s->n_obstacle(); ++place) {
    if (s->slot[place] < 0) continue;
    contacts.push_back(
        contact_at(made, soft, place / s->n_obstacle(), place % s->n_obstacle(), DirectMemory{}));
    lambda.push_back(s->kept[place]);
    const ContactState state = contact_state(contacts.back(), lambda.back());
    ++ended.end.n_contact;
    ended.end.n_stick += state == ContactState::stick ? 1 : 0;
    ended.end.n_slip += state == ContactState::slip ? 1 : 0;
  }
  ended.end.obstacle_force_N = obstacle_force(contacts, lambda, 2, &on_side);
  BodySystem& system = s->scene.system;
  State state = s->scene.state;
  ended.end.is_finite = system.advance(v_hat.data(), 2, &state);
  SolveReport report;
  report.status = s->status;
  judge_from(s->judgement, s->scene.scene.time, &report);
  ended.end.is_reached = ended.end.is_finite && report.status != SolveStatus::not_a_number;
  if (ended.end.is_reached) {
    ended.x = state.x;
    const double begin_s = state.time_s;
    state.time_s += s->scene.scene.time.step_s;
    ended.holds = s->held->attachments().sums(begin_s, state, system);
    ended.end.kinetic_J = system.kinetic_energy(state, 2);
    ended.end.elastic_J = system.soft().elastic_energy(state.x.data(), 2);
    // The host has it only with the elastic energy.
    ended.end.gravity_J = system.potential_energy(state, 2);
  }
  return ended;
}

std::vector<double> numbers_of(const std::vector<HoldSums>& holds) {
  std::vector<double> all;
  for (const HoldSums& h : holds)
    for (const Vec3d& a : {h.force_N, h.torque_Nm, Vec3d{h.work_J, h.energy_J, 0}})
      all.insert(all.end(), {a.x, a.y, a.z});
  return all;
}

void expect_same(const Ended& host, const Ended& kernels) {
  EXPECT_EQ(count_different(kernels.x, host.x), 0);
  EXPECT_TRUE(same_bits(numbers_of(kernels.holds), numbers_of(host.holds)))
      << testing::PrintToString(numbers_of(kernels.holds)) << ", host "
      << testing::PrintToString(numbers_of(host.holds));
  const SoftEnd &a = kernels.end, &b = host.end;
  EXPECT_TRUE(same_bits(std::vector{a.obstacle_force_N}, std::vector{b.obstacle_force_N}));
  EXPECT_EQ(a.n_contact, b.n_contact);
  EXPECT_EQ(a.n_stick, b.n_stick);
  EXPECT_EQ(a.n_slip, b.n_slip);
  EXPECT_EQ(a.is_finite, b.is_finite);
  EXPECT_EQ(a.is_reached, b.is_reached);
  EXPECT_TRUE(same_bits(
      std::vector{a.kinetic_J, a.elastic_J, b.is_reached ? a.elastic_J + a.gravity_J : a.gravity_J},
      std::vector{b.kinetic_J, b.elastic_J, b.gravity_J}))
      << a.kinetic_J << ' ' << a.elastic_J << ' ' << a.gravity_J << ", host " << b.kinetic_J << ' '
      << b.elastic_J << ' ' << b.gravity_J;
}

/// Environments side by side.
class SolvedBatch {
 public:
  std::vector<std::unique_ptr<Solved>> env;

  void add(unsigned seed, const std::vector<TetMesh>& bodies, int n_obstacle) {
    env.push_back(std::make_unique<Solved>(seed, bodies, n_obstacle));
  }

  /// @param answer  out: v_hat in the loop's precision
  template <class Precision, class Launcher>
  std::vector<Ended> by_kernels(Launcher* launcher, std::vector<std::vector<Vec3d>>* answer) const {
    using Real = typename Precision::Real;
    const ContactProblem p = problem();
    LoopProblem<Precision> loop{CommonOptions{}, CondOptions{}};
    loop.set(p, WarmStart{});
    std::vector<VfpiEnvironment<Precision>> envs = loop.environments();
    std::vector<SoftStepArrays> arrays(env.size());
    std::vector<SoftRows> soft;
    std::vector<SoftContacts> contacts;
    std::vector<std::vector<std::int32_t>> row(env.size());
    std::vector<std::vector<double>> elastic_sum(env.size());
    std::vector<SoftJudgement> judgement;
    SoftEnd unknown;
    unknown.n_contact = -7;
    unknown.is_reached = unknown.is_finite = true;
    std::vector<SoftEnd> end(env.size(), unknown);
    SoftStepBatch<Precision> batch;
    HeldArrays held;
    answer->assign(env.size(), {});
    const auto name = [&](const char* what, auto& array) {
      if constexpr (std::is_same_v<Launcher, MimicLauncher>)
        if (!array.empty())
          launcher->name_region(array.data(), array.size() * sizeof(array[0]), what);
    };
    for (std::size_t e = 0; e < env.size(); ++e) {
      const Solved& s = *env[e];
      VfpiEnvironment<Precision>& own = envs[e];
      own.control->answer = static_cast<std::uint8_t>((e + 1) % 4);
      own.control->status = s.status;
      for (int i = 0; i < kMaxSums; ++i)  // what the loop left
        std::fill_n(own.partial + i * own.partial_stride(), own.n_chunk, kNaN);
      for (int i = 0; i < s.n_node(); ++i) {
        row[e].push_back(loop.rows().local_row(p.env_node_begin[e] + i));
        const Vec3<Real> v = cast<Real>(s.v_hat[i]);
        store_state<Real>(own, own.node[own.control->answer], row[e].back(), v, DirectMemory{});
        (*answer)[e].push_back(cast<double>(v));
      }
      soft.push_back(arrays[e].make(s.scene));
      arrays[e].name(launcher);
      contacts.push_back(s.make());
      contacts[e].row = row[e].data();
      elastic_sum[e].assign(static_cast<std::size_t>(item_count(soft[e].model.n_tet)), kNaN);
      contacts[e].elastic_sum = elastic_sum[e].data();
      judgement.push_back(s.judgement);
      held.step.emplace_back();
      s.held->attachments().describe(
          s.scene.state, s.scene.state.time_s + s.scene.scene.time.step_s, &held.step.back());
      name("elastic_sum", elastic_sum[e]);
      name("prepared", s.obstacle);
      name("slot", s.slot);
      name("kept", s.kept);
      batch.n_node = std::max(batch.n_node, s.n_node());
      batch.n_tet = std::max(batch.n_tet, soft[e].model.n_tet);
      batch.n_obstacle = std::max(batch.n_obstacle, s.n_obstacle());
      batch.n_chunk = std::max(batch.n_chunk, static_cast<int>(own.n_chunk));
    }
    for (auto& role : loop.arrays().node) name("node", role);
    name("control", loop.arrays().control);
    name("partial", loop.arrays().partial);
    name("judgement", judgement);
    name("end", end);
    held.make(&soft);
    name("chunk_sum", held.chunk_sum);
    name("sum", held.sum);
    batch.n_env = static_cast<int>(env.size());
    batch.soft = soft.data();
    batch.contacts = contacts.data();
    batch.env = envs.data();
    batch.judgement = judgement.data();
    batch.end = end.data();
    batch.holds = held.batch;
    launch_contact_totals(*launcher, batch);
    launch_hold_totals(*launcher, batch);
    launch_end_of_step(*launcher, batch);
    std::vector<Ended> ended;
    for (std::size_t e = 0; e < env.size(); ++e) {
      const bool is_reached = end[e].is_reached && !env[e]->rests;
      ended.push_back({{}, {}, end[e]});
      const auto first = held.sum.begin() + soft[e].holds.first;
      const std::vector<HoldSums> holds(first, first + soft[e].holds.n_attachment);
      if (is_reached) {
        ended[e].x = unpadded(arrays[e].padded_x);
        ended[e].holds = holds;
      } else {
        for (const HoldSums& one : holds)
          EXPECT_TRUE(std::isnan(one.work_J));  // nothing was written
      }
      // The next step's host may ask where this one began.
      EXPECT_EQ(count_different(arrays[e].x, env[e]->scene.state.x), 0);
      EXPECT_EQ(count_different(arrays[e].v, env[e]->scene.state.v), 0);
    }
    return ended;
  }

  template <class Precision, class Launcher>
  void expect_the_hosts(Launcher* launcher) const {
    std::vector<std::vector<Vec3d>> answer;
    const std::vector<Ended> kernels = by_kernels<Precision>(launcher, &answer);
    for (std::size_t e = 0; e < env.size(); ++e) {
      SCOPED_TRACE(testing::Message() << "environment " << e);
      if (!env[e]->rests) {
        expect_same(by_host(env[e].get(), answer[e]), kernels[e]);
        continue;
      }
      EXPECT_EQ(kernels[e].end.n_contact, -7);
    }
  }

  template <class Precision>
  void expect_the_hosts(std::uint64_t seed) const {
    OneLaneLauncher one_lane;
    expect_the_hosts<Precision>(&one_lane);
    for (const CpuIsa isa : available_isas()) {
      SCOPED_TRACE(name_of(isa));
      const CpuLauncher in_packs(isa, 2);
      expect_the_hosts<Precision>(&in_packs);
    }
    MimicLauncher mimic({.seed = seed, .n_block = 4, .strict_regions = true});
    expect_the_hosts<Precision>(&mimic);
    EXPECT_TRUE(mimic.conflicts().empty());
  }

  void expect_the_hosts_in_every_precision(std::uint64_t seed) const {
    {
      SCOPED_TRACE("double");
      expect_the_hosts<DoublePrecision>(seed);
    }
    {
      SCOPED_TRACE("mixed");
      expect_the_hosts<MixedPrecision>(seed);
    }
    {
      SCOPED_TRACE("float");
      expect_the_hosts<FloatPrecision>(seed);
    }
  }

 private:
  /// A problem with their rows, so that there is a loop; its contacts are no part of it.
  ContactProblem problem() const {
    ContactProblem p;
    std::vector<std::shared_ptr<const BlockPattern>> patterns;
    for (const auto& s : env) patterns.push_back(s->scene.system.pattern());
    p.step_s = 0.01;
    p.A = BlockMatrix(BlockPattern::concatenate(patterns));
    std::ptrdiff_t first = 0;
    for (const auto& s : env) {
      const BlockMatrix& A = s->scene.A;
      const std::ptrdiff_t n_value = 9 * std::ptrdiff_t{A.pattern->n_block()};
      std::copy_n(A.value.begin(), n_value, p.A.value.begin() + first);
      first += n_value;
      p.b.insert(p.b.end(), s->scene.b.begin(), s->scene.b.end());
      const std::vector<double>& mass = s->scene.system.soft().mass();
      p.mass.insert(p.mass.end(), mass.begin(), mass.end());
      p.env_node_begin.push_back(p.n_node());
      p.env_contact_begin.push_back(0);
    }
    p.derive_topology();
    return p;
  }
};

/// Environments of a single cell, of whole chunks of nodes, of one node more and one less, and of
/// several bodies; with and without obstacles.
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
  std::vector<std::vector<Vec3d>> answer;
  const std::vector<Ended> ended = batch.by_kernels<DoublePrecision>(&one_lane, &answer);
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

/// Velocities that are not finite, or take a node out of the numbers there are.
TEST(SoftEndOfStep, EnvironmentsThatHaveNoFiniteEndStayWhereTheyAreAndOthersGoOn) {
  SolvedBatch batch = batch_of(1);
  batch.env[1]->v_hat.back().z = kNaN;
  batch.env[2]->v_hat.front().y = kInfinity;
  batch.env[3]->v_hat[256].x = -kInfinity;
  batch.env[4]->v_hat[100].x = 1.7e308;  // finite itself, but not over theta
  batch.env[4]->scene.scene.time.theta = 0.5;
  batch.expect_the_hosts<DoublePrecision>(1);
  OneLaneLauncher one_lane;
  std::vector<std::vector<Vec3d>> answer;
  const std::vector<Ended> ended = batch.by_kernels<DoublePrecision>(&one_lane, &answer);
  for (std::size_t e = 0; e < ended.size(); ++e) {
    EXPECT_EQ(ended[e].end.is_finite, e == 0 || e == 5) << e;
    EXPECT_EQ(ended[e].end.is_reached, e == 0 || e == 5) << e;
  }
}

/// Answers whose report says not_a_number, though their end is finite.
TEST(SoftEndOfStep, AnswersThatAreNoneAreNotGoneTo) {
  SolvedBatch batch = batch_of(2);
  batch.env[0]->judgement.is_finite = false;
  batch.env[1]->status = SolveStatus::not_a_number;
  batch.env[2]->judgement.sums.dynamics.residual_squared = kInfinity;
  batch.env[3]->judgement.sums.contacts.speed_scale = kInfinity;
  batch.env[4]->status = SolveStatus::diverged;
  batch.expect_the_hosts_in_every_precision(3);
  OneLaneLauncher one_lane;
  std::vector<std::vector<Vec3d>> answer;
  const std::vector<Ended> ended = batch.by_kernels<DoublePrecision>(&one_lane, &answer);
  for (std::size_t e = 0; e < ended.size(); ++e) {
    EXPECT_TRUE(ended[e].end.is_finite) << e;
    EXPECT_EQ(ended[e].end.is_reached, e >= 4) << e;
  }
}

TEST(SoftEndOfStep, EnvironmentsThatRestAreLeftAlone) {
  SolvedBatch batch = batch_of(3);
  batch.env[0]->rests = batch.env[3]->rests = true;
  batch.expect_the_hosts_in_every_precision(4);
}

/// More chunks than a block has lanes: lanes sum several of them.
TEST(SoftEndOfStep, HasTheBitsOfTheHostsWhereThereAreMoreChunksThanABlockHasLanes) {
  SolvedBatch batch;
  batch.add(3, {box_of({41, 40, 39})}, 2);
  ASSERT_GT(batch.env[0]->n_node(), kBlockLanes * kBlockLanes);
  OneLaneLauncher one_lane;
  batch.expect_the_hosts<DoublePrecision>(&one_lane);
}

}  // namespace
}  // namespace nodia::test
