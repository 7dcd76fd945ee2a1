/// Contacts of pairs of soft surfaces as kernels: made, kept, judged, counted and measured with the
/// bits of the host's.
#include "kernels/soft_step/make_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <limits>
#include <map>

#include "fem/mesh/meshers.hpp"
#include "host/errors/errors.hpp"
#include "host/simulation/contact_finder.hpp"
#include "host/simulation/contact_rules.hpp"
#include "host/simulation/obstacle_force.hpp"
#include "host/simulation/targets.hpp"
#include "host/solvers/cond/loop_problem.hpp"
#include "host/solvers/cond/nodalization.hpp"
#include "host/solvers/report.hpp"
#include "kernels/contact/in_cone.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/mimic/launcher.hpp"
#include "kernels/soft_step/contact_totals.hpp"
#include "kernels/soft_step/judge.hpp"
#include "kernels/soft_step/kept_forces.hpp"
#include "kernels/soft_step/near_places.hpp"
#include "kernels/soft_step/pair_depths.hpp"
#include "kernels/vfpi/assemble_planes.hpp"
#include "tests/support/fem_random.hpp"
#include "tests/support/launchers.hpp"
#include "tests/support/meeting_arrays.hpp"
#include "tests/support/soft_bodies.hpp"

namespace nodia::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kMatLength = 0.12, kMatThickness = 4e-3;

enum class Kind { stack, pile, mat, alone };

SoftBodyDescription soft_body(const char* name, TetMesh mesh, Vec3d at, Vec3d turned) {
  SoftBodyDescription body;
  body.name = name;
  body.mesh = std::move(mesh);
  body.material.youngs_modulus_Pa = 2e4;
  body.pose = {at, rotation_matrix(quaternion_exp(turned))};
  body.friction = 0.6;
  return body;
}

ObstacleDescription obstacle(const char* name, ShapeKind kind, Vec3d from) {
  ObstacleDescription o;
  o.name = name;
  o.shape.kind = kind;
  o.path.keys = {{0, from, {}}, {0.5, from + Vec3d{0, 0, 0.01}, {}}};
  return o;
}

/// Bodies that lie on each other and on a floor.
Scene make_scene(Kind kind, TimeStep step) {
  Scene scene;
  scene.name = "pairs";
  static_cast<TimeStep&>(scene.time) = step;
  scene.contact.margin_m = 2e-3;
  const TetMesh box = mesh_box({0.06, 0.05, 0.03}, {5, 4, 3});
  if (kind == Kind::mat) {
    scene.soft_bodies.push_back(
        soft_body("mat", mesh_mat({kMatLength, 0.05, kMatThickness}, 150), {}, {}));
    scene.soft_bodies.back().self_contact = true;
    scene.soft_bodies.back().thickness_m = 1e-4;
  } else {
    scene.soft_bodies.push_back(soft_body("below", box, {}, {}));
  }
  if (kind == Kind::stack || kind == Kind::pile) {
    scene.soft_bodies.push_back(soft_body("above", box, {0.03, 0.02, 0.0305}, {0, 0, 0.6}));
    scene.friction_pairs.push_back({"below", "above", 0.2, 0.7, {1, 1, 0}});
  }
  if (kind == Kind::pile)
    scene.soft_bodies.push_back(soft_body("ball", mesh_ball(0.02, 60), {0.03, 0.03, 0.081}, {}));
  scene.obstacles = {obstacle("floor", ShapeKind::half_space, {}),
                     obstacle("sphere", ShapeKind::sphere, {0.02, 0.01, -0.018})};
  scene.obstacles.back().shape.radius = 0.02;
  return scene;
}

/// A scene in the middle of a step: what the host finds there.
struct Environment {
  Scene scene;
  BodySystem system;
  std::vector<Path> paths;
  ContactFinder finder;
  State state;
  std::vector<Vec3d> v_free, b;
  BlockMatrix A;
  StepContacts found;
  std::shared_ptr<const ObstacleContacts> contacts;
  std::vector<ObstaclePose> pose;
  bool rests = false;

  Environment(Kind kind, unsigned seed, TimeStep step)
      : scene(make_scene(kind, step)),
        system(scene),
        paths(paths_of(scene)),
        finder(scene, paths, system) {
    TopologyPool pool;
    system.fix_topology({}, &pool);
    state = system.initial_state();
    FemRandom random(seed + 50);
    const double far = kind == Kind::mat ? 2e-4 : 1e-3;
    for (std::size_t i = 0; i < state.x.size(); ++i) {
      if (kind == Kind::mat) state.x[i] = folded(state.x[i], kMatLength, 8e-4, kMatThickness);
      state.x[i] += random.vector(far);
      state.v[i] = random.vector(0.2);
      v_free.push_back(random.vector(0.2));
    }
    system.update_kinematics(state);
    A = BlockMatrix(system.pattern());
    b.resize(state.x.size());
    const std::vector<double> diagonal(b.size());
    const std::vector<Vec3d> force(b.size());
    system.assemble({state, Targets(scene, system), diagonal, force, 1, nullptr}, A.value.data(),
                    b.data());
    finder.find(state, system, v_free, 1, &found);
    contacts = finder.obstacle_contacts(system);
    for (const ObstacleDescription& o : scene.obstacles)
      pose.push_back(
          {o.shape, o.path.at(state.time_s), o.path.at(state.time_s + scene.time.step_s)});
  }
  Environment(const Environment&) = delete;  // the system knows the scene
  Environment& operator=(const Environment&) = delete;

  int n_node() const { return static_cast<int>(state.x.size()); }
  int n_obstacle() const { return static_cast<int>(paths.size()); }
  int n_place() const { return n_node() * n_obstacle(); }
  int n_body() const { return static_cast<int>(scene.soft_bodies.size()); }
  /// Of a contact; -1: it is one of a pair of soft surfaces.
  int place(std::size_t m) const {
    const SurfacePair& pair = found.pairs[m];
    if (pair.rule != PairRule::node) return -1;
    return pair.i.node[0] * n_obstacle() + pair.surface_j - n_body();
  }
  ContactRule rule(std::int32_t surface_i, std::int32_t surface_j) const {
    const FrictionTable friction(scene);
    const Objects objects(scene);
    const auto object = [&](std::int32_t body) {
      return objects.find(scene.soft_bodies[static_cast<std::size_t>(body)].name);
    };
    return contact_rule(friction.of(object(surface_i), object(surface_j)), 0);
  }

 private:
  static std::vector<Path> paths_of(const Scene& scene) {
    std::vector<Path> paths;
    for (const ObstacleDescription& o : scene.obstacles) paths.push_back(o.path);
    return paths;
  }
};

/// Environments side by side, and the problem that they are on the host.
struct Problem {
  std::deque<Environment> env;
  ContactProblem p;

  explicit Problem(unsigned seed) {
    FemRandom random(seed + 9);
    p.step_s = random.uniform(0.001, 0.01);
    p.theta = seed % 2 == 0 ? 1 : random.uniform(0.5, 0.9);
    const TimeStep step{p.step_s, p.theta};
    env.emplace_back(Kind::stack, seed, step);
    env.emplace_back(Kind::alone, seed + 1, step);
    env.emplace_back(Kind::mat, seed + 2, step);
    env.emplace_back(Kind::stack, seed + 3, step);
    env.back().rests = true;
    env.emplace_back(Kind::pile, seed + 4, step);
    std::vector<std::shared_ptr<const BlockPattern>> patterns;
    for (const Environment& e : env) patterns.push_back(e.system.pattern());
    p.A = BlockMatrix(BlockPattern::concatenate(patterns));
    std::ptrdiff_t first_value = 0;
    p.b.resize(static_cast<std::size_t>(p.A.pattern->n_row()));
    int first = 0;
    for (const Environment& e : env) {
      const std::ptrdiff_t n_value = 9 * std::ptrdiff_t{e.A.pattern->n_block()};
      std::copy_n(e.A.value.begin(), n_value, p.A.value.begin() + first_value);
      first_value += n_value;
      std::copy(e.b.begin(), e.b.end(), p.b.begin() + first);
      for (const double mass : e.system.soft().mass()) p.mass.push_back(mass);
      if (!e.rests) add_contacts(e, first);
      first += e.n_node();
      p.env_node_begin.push_back(first);
      p.env_contact_begin.push_back(p.n_contact());
      p.env_point_begin.push_back(p.points.size());
    }
    p.derive_topology();
  }

  int n_env() const { return p.n_env(); }
  /// Contacts of an environment: those at obstacles, and behind them those of pairs.
  int first_pair(int e) const {
    int m = p.env_contact_begin[e];
    const int first = m;
    while (m < p.env_contact_begin[e + 1] && env[e].place(m - first) >= 0) ++m;
    return m;
  }

 private:
  void add_contacts(const Environment& e, int first) {
    const int n_own = e.n_node(), first_point = p.points.size();
    const ContactPoints& points = e.found.points;
    for (int k = 0; k < points.size(); ++k) {
      for (int part = points.begin[k]; part < points.begin[k + 1]; ++part)
        p.points.add(first + points.row[part], points.J[part]);
      p.points.finish();
    }
    const auto moved = [&](std::int32_t side) {
      if (side == kWorld) return side;
      return side < n_own ? side + first : p.n_node() + first_point + side - n_own;
    };
    for (Contact<double> c : e.found.contacts) {
      c.side_i = moved(c.side_i);
      c.side_j = moved(c.side_j);
      p.contacts.push_back(c);
    }
  }
};

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
bool same(Vec3d a, Vec3d b) {
  return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z);
}

constexpr int kWorldSlots = 2;  ///< of coupled rows, in every environment

/// Environments side by side as a launcher has them, and what the loop has left of them.
template <class Precision>
class Device {
 public:
  using Real = typename Precision::Real;

  Device(const Problem& of, int capacity) : problem_(of), loop_(common_options(), CondOptions{}) {
    const ContactProblem& p = problem_.p;
    compliance_ = delassus_diagonal_estimate(p);
    nodalize(p, compliance_, CondOptions{}, &nodes_);
    loop_.set(p, WarmStart{});
    env_ = loop_.environments();
    FemRandom random(3);
    for (int e = 0; e < problem_.n_env(); ++e) add(e, &random);
    evaluate();
    surfaces_.make_room(capacity);
    pair_.resize(static_cast<std::size_t>(capacity));
    key_.resize(kPairNodes * pair_.size());
    item_.resize(key_.size());
    kept_.resize(pair_.size());
    depth_.assign(static_cast<std::size_t>(surfaces_.n_search()), -7);
    judgement_.resize(env_.size());
    end_.resize(env_.size());
    batch_.n_env = problem_.n_env();
    batch_.soft = soft_.data();
    batch_.contacts = contacts_.data();
    batch_.env = env_.data();
    batch_.projection = common_options().projection;
    batch_.omega = common_options().invertible_omega_m_Ns;
    batch_.judgement = judgement_.data();
    batch_.end = end_.data();
    PairBatch& pairs = batch_.pairs;
    pairs.meeting = surfaces_.meeting();
    pairs.capacity = capacity;
    pairs.slot = surfaces_.selected.data();
    pairs.n_selected = &surfaces_.n_selected;
    pairs.rule = rule_.data();
    pairs.virtual_gain = CondOptions{}.virtual_gain;
    pairs.virtual_gain_N_s_m = CondOptions{}.virtual_gain_N_s_m;
    pairs.pair = pair_.data();
    pairs.counts = counts_.data();
    pairs.sorted_key = key_.data();
    pairs.sorted_item = item_.data();
    pairs.kept = kept_.data();
    pairs.kept_range = kept_range_.data();
    pairs.depth = depth_.data();
  }

  static CommonOptions common_options() {
    CommonOptions options;
    options.threads = 1;
    options.invertible_omega_m_Ns = 1e-4;
    return options;
  }

  /// Where a mimicking launcher watches memory.
  void name(MimicLauncher* launcher) {
    const auto one = [&](const char* what, auto& array) {
      if (!array.empty())
        launcher->name_region(array.data(), array.size() * sizeof(array[0]), what);
    };
    surfaces_.name(one);
    launcher->name_region(&surfaces_.n_selected, sizeof(std::int32_t), "n_selected");
    for (Own& own : own_) {
      one("x", own.x);
      one("v", own.v);
      one("v_free", own.v_free);
      one("corner", own.corner);
      one("flag", own.flag);
      one("prepared", own.prepared);
      one("largest", own.largest);
      one("slot", own.slot);
      one("kept", own.kept);
      one("compliance", own.compliance);
      one("lambda", own.lambda);
    }
    for (int e = 0; e < problem_.n_env(); ++e)
      one("obstacle", const_cast<std::vector<ObstaclePose>&>(problem_.env[e].pose));
    one("env", env_);
    for (auto& role : loop_.arrays().node) one("node", role);
    one("control", loop_.arrays().control);
    one("partial", loop_.arrays().partial);
    one("inverse_mass", loop_.arrays().inverse_mass);
    one("pair", pair_);
    one("counts", counts_);
    one("sorted_key", key_);
    one("sorted_item", item_);
    one("kept", kept_);
    one("kept_range", kept_range_);
    one("depth", depth_);
    one("judgement", judgement_);
    one("end", end_);
  }

  /// Pairs and contacts of a step. @param keep  what of the pairs was kept of the last one
  template <class Launcher, class Keep>
  void make(Launcher* launcher, const Keep& keep) {
    launch_near_places(*launcher, batch_);
    launch_find_pairs(*launcher, batch_.pairs.meeting);
    keep();
    launch_make_pairs(*launcher, batch_);
  }
  /// What else a step knows of its pairs, and what follows the loop.
  template <class Launcher>
  void end(Launcher* launcher) {
    sort_nodes();
    for (VfpiEnvironment<Precision>& env : env_)
      for (int i = 0; i < kMaxSums; ++i)  // what the loop left
        std::fill_n(env.partial + i * env.partial_stride(), env.n_chunk, kNan);
    launch_keep_forces(*launcher, batch_);
    launch_judge(*launcher, batch_);
    launch_contact_totals(*launcher, batch_);
    launch_pair_depths(*launcher, batch_);
  }

  /// Keeps forces of some pairs and of others that are not there.
  void keep_some() {
    FemRandom random(8);
    std::size_t n = 0;
    for (int e = 0; e < problem_.n_env(); ++e) {
      kept_range_[e] = {static_cast<std::int32_t>(n), 0};
      for (int k = 0; k < counts_[e].n; ++k) {
        const int p = counts_[e].first + k;
        const Identity own = identity(e, p);
        if (k % 3 == 0) continue;
        KeptPair kept = own;
        kept.force = random.vector(2);
        if (k % 3 == 1 || own.edge < 0) expected_[p] = kept.force;
        if (k % 3 == 2 && own.edge >= 0) kept.edge += 1000;
        if (own.edge >= 0) kept.slot += k % 2 == 0 ? 0 : kEdgePairs - 1 - own.slot_of_edge;
        kept_[n++] = kept;
      }
      kept_range_[e].n = static_cast<std::int32_t>(n) - kept_range_[e].first;
    }
  }

  void expect_pairs_of_the_host() const {
    ASSERT_EQ(surfaces_.n_selected, n_pair());
    for (int e = 0; e < problem_.n_env(); ++e)
      for (int k = 0; k < counts_[e].n; ++k) {
        SCOPED_TRACE(testing::Message() << "environment " << e << ", pair " << k);
        expect_pair(e, problem_.first_pair(e) + k, counts_[e].first + k);
      }
  }
  /// As keep_some() says, or of the last answer.
  void expect_kept_forces_at_start() const {
    for (std::size_t p = 0; p < expected_.size(); ++p)
      EXPECT_TRUE(same(pair_[p].lambda, expected_[p])) << p;
  }

  void expect_end_of_the_host() const {
    const ContactProblem& p = problem_.p;
    Solution solution;
    solution.v = answer_;
    solution.lambda = lambda_;
    solution.env.resize(static_cast<std::size_t>(p.n_env()));
    judge(p, common_options(), &solution);
    const std::vector<ContactState> state = contact_states(p, lambda_);
    for (int e = 0; e < p.n_env(); ++e) {
      SCOPED_TRACE(e);
      SolveReport report;
      judge_from(judgement_[e], {p.step_s, p.theta}, &report);
      const SolveReport& host = solution.env[e];
      if (problem_.env[e].rests) continue;
      EXPECT_TRUE(same(report.relative_residual, host.relative_residual));
      EXPECT_TRUE(same(report.natural_map_error, host.natural_map_error));
      EXPECT_TRUE(same(report.certificate_J, host.certificate_J));
      EXPECT_EQ(report.status, host.status);
      const auto begin = state.begin() + p.env_contact_begin[e],
                 end = state.begin() + p.env_contact_begin[e + 1];
      EXPECT_EQ(end_[e].n_contact, end - begin);
      EXPECT_EQ(end_[e].n_stick, std::count(begin, end, ContactState::stick));
      EXPECT_EQ(end_[e].n_slip, std::count(begin, end, ContactState::slip));
      std::vector<Vec3d> scratch;
      const std::vector<Vec3d> force(lambda_.begin() + p.env_contact_begin[e],
                                     lambda_.begin() + p.env_contact_begin[e + 1]);
      EXPECT_TRUE(same(end_[e].obstacle_force_N,
                       obstacle_force(problem_.env[e].found.contacts, force, 1, &scratch)));
    }
    expect_depths();
  }
  /// Finds the forces that were kept of all pairs, whose numbers are the same.
  void expect_answer_at_the_next_start() {
    for (int e = 0; e < problem_.n_env(); ++e)
      for (int k = 0; k < counts_[e].n; ++k)
        expected_[counts_[e].first + k] = lambda_[problem_.first_pair(e) + k];
  }

  int n_pair() const { return counts_.back().first + counts_.back().n; }
  int n_edge_pair() const {
    return static_cast<int>(std::count_if(pair_.begin(), pair_.end(),
                                          [](const PairContact& p) { return p.edge >= 0; }));
  }
  int n_points_of(int n) const {
    int count = 0;
    for (const PairContact& p : pair_)
      for (const PairSide& side : p.side) count += side.n == n ? 1 : 0;
    return count;
  }
  double deepest() const { return *std::max_element(depth_.begin(), depth_.end()); }

  /// The step's list, whose room may be too small.
  const std::vector<PairContact>& pairs() const { return pair_; }

 private:
  /// Arrays of an environment.
  struct Own {
    std::vector<Vec3d> x, v, v_free;
    std::vector<PaddedNode> padded_x, corner;
    std::vector<std::int32_t> row, node, slot;
    std::vector<std::uint8_t> flag;
    std::vector<PreparedObstacle> prepared;
    std::vector<double> largest, compliance;
    std::vector<Vec3d> kept;
    AlignedVector<Real> lambda;
  };
  struct Identity : KeptPair {
    std::int32_t slot_of_edge = 0;
    Identity(KeptPair kept, std::int32_t of_edge) : KeptPair(kept), slot_of_edge(of_edge) {}
  };

  void add(int e, FemRandom* random) {
    const ContactProblem& p = problem_.p;
    const Environment& of = problem_.env[e];
    VfpiEnvironment<Precision>& env = env_[e];
    Own& own = own_.emplace_back();
    own.x = of.state.x;
    own.v = of.state.v;
    own.v_free = of.v_free;
    own.padded_x.resize(own.x.size());
    own.node = loop_.rows().nodes(e);
    env.control->answer = static_cast<std::uint8_t>((e + 1) % 4);
    for (int i = 0; i < of.n_node(); ++i) {
      own.row.push_back(loop_.rows().local_row(p.env_node_begin[e] + i));
      const Vec3<Real> v = cast<Real>(of.rests ? Vec3d{} : random->vector(0.3));
      store_state<Real>(env, env.node[env.control->answer], own.row.back(), v, DirectMemory{});
      answer_.push_back(cast<double>(v));
    }
    SoftRows& s = soft_.emplace_back();
    s.model = of.system.soft().view();
    s.step = of.scene.time;
    s.gravity = of.scene.gravity_m_s2;
    s.n_row = static_cast<int>(own.node.size());
    s.node = own.node.data();
    s.x = &own.x[0].x;
    s.v = &own.v[0].x;
    own.corner.resize(kSliceNodes * static_cast<std::size_t>(slice_count(s.model.n_tet)));
    s.padded_x = scalars(own.padded_x);
    s.corner = scalars(own.corner);

    const ObstacleContacts& obstacles = *of.contacts;
    own.flag.assign(static_cast<std::size_t>(of.n_place()), 0);
    own.slot.assign(own.flag.size(), -1);
    own.kept.assign(own.flag.size(), Vec3d{});
    own.prepared.resize(static_cast<std::size_t>(of.n_obstacle()));
    own.largest.resize(static_cast<std::size_t>(item_count(of.n_node())));
    SoftContacts& c = contacts_.emplace_back();
    c.near.n_node = of.rests ? 0 : of.n_node();
    c.near.n_obstacle = of.n_obstacle();
    c.near.reach = {of.scene.contact.margin_m, of.scene.time.step_s};
    c.near.x = {s.x, 3};
    c.near.v = {s.v, 3};
    c.near.v_free = {&own.v_free[0].x, 3};
    c.near.obstacle = of.pose.data();
    c.near.largest_squared_speed = own.largest.data();
    c.near.prepared = own.prepared.data();
    c.near.flag = own.flag.data();
    c.row = own.row.data();
    c.surface = obstacles.surface.data();
    c.meets = obstacles.meets.data();
    c.rule = obstacles.rule.data();
    c.times = obstacles.times;
    c.v_free = &own.v_free[0].x;
    c.kept = &own.kept[0].x;
    c.slot = own.slot.data();
    const SoftSearches* const searches = of.rests ? nullptr : obstacles.soft_searches.get();
    surfaces_.add(searches, {s.x, s.v, c.v_free}, c.near.reach);
    if (searches != nullptr)
      for (const auto& [i, j] : searches->search) rule_.push_back(of.rule(i, j));
    add_forces(e, random);
    batch_.n_node = std::max(batch_.n_node, of.n_node());
    batch_.n_obstacle = std::max(batch_.n_obstacle, of.n_obstacle());
    batch_.n_chunk = std::max(batch_.n_chunk, static_cast<int>(env.n_chunk));
  }

  /// The loop's forces in slots: contacts at obstacles, an empty slot, and as those of rows in
  /// pairs kWorldSlots others before the pairs.
  void add_forces(int e, FemRandom* random) {
    const ContactProblem& p = problem_.p;
    VfpiEnvironment<Precision>& env = env_[e];
    Own& own = own_[e];
    const int first = p.env_contact_begin[e], first_pair = problem_.first_pair(e),
              end = p.env_contact_begin[e + 1];
    const std::int32_t before = counts_.empty() ? 0 : counts_.back().first + counts_.back().n;
    PairCounts& counts = counts_.emplace_back();
    kept_range_.emplace_back();
    counts.first = before;
    counts.n = end - first_pair;
    counts.n_world_slot = kWorldSlots;
    expected_.resize(expected_.size() + static_cast<std::size_t>(counts.n));
    env.first_coupled_slot = first_pair - first + 1;
    const int shift = 1 + kWorldSlots;
    own.lambda.assign(kNodeStride * static_cast<std::size_t>(end - first + shift),
                      std::numeric_limits<Real>::quiet_NaN());
    own.compliance.assign(static_cast<std::size_t>(end - first + shift), kNan);
    for (int m = first; m < end; ++m) {
      const Contact<double>& c = p.contacts[m];
      const int slot = m - first + (m < first_pair ? 0 : shift);
      const Vec3d inside = project(Projection::strict, random->vector(2), c.mu1, c.mu2);
      const Vec3<Real> lambda = cast<Real>(m % 4 == 0 ? Vec3d{} : inside);
      DirectMemory{}.template store_node<Real>(own.lambda.data(), slot, lambda);
      lambda_.push_back(
          in_cone<Real>(common_options().projection, cast<double>(lambda), c.mu1, c.mu2));
      if (m >= first_pair) continue;
      own.slot[problem_.env[e].place(m - first)] = slot;
      own.compliance[slot] = largest_axis(compliance_[m]) + common_options().invertible_omega_m_Ns;
    }
    env.lambda = own.lambda.data();
    env.compliance = own.compliance.data();
  }

  void evaluate() {
    int n_tet = 0;
    for (const SoftRows& s : soft_) n_tet = std::max(n_tet, s.model.n_tet);
    OneLaneLauncher launcher;
    const int n_env = problem_.n_env();
    launch_elements(launcher, "pad_nodes", PadNodes{}, soft_.data(), n_env, batch_.n_node);
    launch_elements(launcher, "evaluate_soft_tets", EvaluateSoftTets{}, soft_.data(), n_env,
                    slice_count(n_tet) * kSliceTets);
  }

  /// PairBatch::sorted_key and sorted_item.
  void sort_nodes() {
    std::vector<std::pair<std::uint64_t, std::int32_t>> nodes;
    for (int e = 0; e < problem_.n_env(); ++e)
      for (int p = counts_[e].first; p < counts_[e].first + counts_[e].n; ++p) {
        int place = 0;
        for (const PairSide& side : pair_[p].side)
          for (int k = 0; k < side.n; ++k)
            nodes.emplace_back(pair_key(e, own_[e].row[side.node[k]]), kPairNodes * p + place++);
      }
    std::sort(nodes.begin(), nodes.end());
    nodes.resize(key_.size(), {~std::uint64_t{0}, 0});
    std::transform(nodes.begin(), nodes.end(), key_.begin(), [](const auto& n) { return n.first; });
    std::transform(nodes.begin(), nodes.end(), item_.begin(),
                   [](const auto& n) { return n.second; });
  }

  /// KeptPair of a pair that was selected.
  Identity identity(int e, int p) const {
    const std::int32_t slot = surfaces_.selected[p];
    std::size_t s = 0;
    while (slot >= surfaces_.slots()[s].end()) ++s;
    const PairSlots& slots = surfaces_.slots()[s];
    KeptPair kept;
    kept.slot = slot - surfaces_.slots()[surfaces_.first_search(e)].first;
    if (!slots.is_edge(slot)) return {kept, 0};
    kept.edge = batch_.pairs.meeting.pairs.other[slots.other(slot)];
    return {kept, (slot - slots.first - slots.n_vertex) % kEdgePairs};
  }

  void expect_pair(int e, int m, int k) const {
    const ContactProblem& p = problem_.p;
    const Contact<double>& host = p.contacts[m];
    const SurfacePair& found = problem_.env[e].found.pairs[m - p.env_contact_begin[e]];
    const PairContact& pair = pair_[k];
    EXPECT_EQ(pair.slot, surfaces_.selected[k]);
    EXPECT_EQ(pair.edge, found.rule == PairRule::edge ? found.feature_j : -1);
    if (found.rule == PairRule::vertex) {
      EXPECT_EQ(pair.hit.triangle, found.feature_j);
    }
    EXPECT_TRUE(same(pair.gap_m, found.gap_m));
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(same(pair.contact.R.row[i], host.R.row[i]));
    EXPECT_TRUE(same(pair.contact.phi, host.phi));
    EXPECT_EQ(pair.contact.mu1, host.mu1);
    EXPECT_EQ(pair.contact.mu2, host.mu2);
    EXPECT_TRUE(same(pair.compliance, compliance_[m]));
    const std::int32_t host_side[] = {host.side_i, host.side_j},
                       row[] = {pair.contact.side_i, pair.contact.side_j};
    for (int s = 0; s < 2; ++s) {
      const PairSide& side = pair.side[s];
      int n = 0;
      p.for_parts(host_side[s], [&](std::int32_t of, const Mat3d& J) {
        ASSERT_LT(n, side.n);
        EXPECT_EQ(side.node[n], of - p.env_node_begin[e]);
        if (p.is_point(host_side[s])) {
          EXPECT_TRUE(same(side.weight[n], J(0, 0)));
        }
        ++n;
      });
      EXPECT_EQ(side.n, n);
      EXPECT_EQ(side.is_point(), p.is_point(host_side[s]));
      if (side.is_point()) {
        EXPECT_EQ(row[s], MakePairs::kNoRowYet);
        EXPECT_TRUE(same(pair.gain[s], nodes_.gain[host_side[s] - p.n_node()]));
      } else {
        EXPECT_EQ(row[s], own_[e].row[side.node[0]]);
      }
    }
  }

  void expect_depths() const {
    const ContactProblem& p = problem_.p;
    std::vector<double> depth(depth_.size(), 0.0);
    for (int e = 0; e < p.n_env(); ++e)
      for (int k = 0; k < counts_[e].n; ++k) {
        const int m = problem_.first_pair(e) + k;
        const Contact<double>& c = p.contacts[m];
        const Vec3d u = c.R * (p.side_velocity(c.side_i, answer_.data()) -
                               p.side_velocity(c.side_j, answer_.data()));
        const double gap = problem_.env[e].found.pairs[m - p.env_contact_begin[e]].gap_m;
        double* const of = &depth[pair_[counts_[e].first + k].search];
        *of = std::max(*of, -(gap + p.step_s * u.x));
      }
    for (std::size_t s = 0; s < depth.size(); ++s) EXPECT_TRUE(same(depth_[s], depth[s])) << s;
  }

  const Problem& problem_;
  std::vector<Vec3d> compliance_;
  Nodalization nodes_;
  LoopProblem<Precision> loop_;
  std::vector<VfpiEnvironment<Precision>> env_;
  std::deque<Own> own_;
  std::vector<SoftRows> soft_;
  std::vector<SoftContacts> contacts_;
  MeetingArrays surfaces_;
  std::vector<ContactRule> rule_;       ///< of the searches
  std::vector<Vec3d> answer_, lambda_;  ///< of the loop, as the host takes them
  std::vector<Vec3d> expected_;         ///< per pair, at the start of the step
  std::vector<PairContact> pair_;
  std::vector<PairCounts> counts_;
  std::vector<std::uint64_t> key_;
  std::vector<std::int32_t> item_;
  std::vector<KeptPair> kept_;
  std::vector<KeptRange> kept_range_;
  std::vector<double> depth_;
  std::vector<SoftJudgement> judgement_;
  std::vector<SoftEnd> end_;
  SoftStepBatch<Precision> batch_;
};

constexpr int kRoom = 2000;

/// Two steps of the same state.
template <class Precision, class Launcher>
void expect_the_hosts(const Problem& problem, Launcher* launcher) {
  Device<Precision> device(problem, kRoom);
  if constexpr (std::is_same_v<Launcher, MimicLauncher>) device.name(launcher);
  device.make(launcher, [&] { device.keep_some(); });
  device.expect_pairs_of_the_host();
  device.expect_kept_forces_at_start();
  device.end(launcher);
  device.expect_end_of_the_host();
  device.expect_answer_at_the_next_start();
  device.make(launcher, [] {});
  device.expect_pairs_of_the_host();
  device.expect_kept_forces_at_start();
}

template <class Launcher>
void expect_the_hosts(const Problem& problem, Launcher* launcher) {
  {
    SCOPED_TRACE("double");
    expect_the_hosts<DoublePrecision>(problem, launcher);
  }
  {
    SCOPED_TRACE("mixed");
    expect_the_hosts<MixedPrecision>(problem, launcher);
  }
  {
    SCOPED_TRACE("float");
    expect_the_hosts<FloatPrecision>(problem, launcher);
  }
}

TEST(PairContacts, ProblemsHaveVerticesAndEdgesAtPointsOfTwoAndThreeNodes) {
  int n_edge = 0, n_deep = 0;
  std::map<int, int> n_point;
  for (unsigned seed = 0; seed < 3; ++seed) {
    const Problem problem(seed);
    Device<DoublePrecision> device(problem, kRoom);
    OneLaneLauncher launcher;
    device.make(&launcher, [] {});
    EXPECT_GT(device.n_pair(), 60);
    EXPECT_LT(device.n_pair(), kRoom);
    n_edge += device.n_edge_pair();
    for (const int n : {1, 2, 3}) n_point[n] += device.n_points_of(n);
    device.end(&launcher);
    n_deep += device.deepest() > 0 ? 1 : 0;
  }
  EXPECT_GT(n_edge, 10);
  for (const int n : {1, 2, 3}) EXPECT_GT(n_point[n], 10) << n;
  EXPECT_GT(n_deep, 0);
}

TEST(PairContacts, HaveTheBitsOfTheHosts) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem(seed);
    OneLaneLauncher one_lane;
    expect_the_hosts(problem, &one_lane);
    for (const CpuIsa isa : available_isas()) {
      SCOPED_TRACE(name_of(isa));
      const CpuLauncher in_packs(isa, 2);
      expect_the_hosts(problem, &in_packs);
    }
  }
}

TEST(PairContacts, AreFreeOfRacesAndOfAccessesOutOfBounds) {
  const Problem problem(1);
  MimicLauncher launcher({.seed = 5, .n_block = 4, .strict_regions = true});
  expect_the_hosts(problem, &launcher);
  EXPECT_TRUE(launcher.conflicts().empty());
}

TEST(PairContacts, OfWhichTheListHasRoomForAFewAreTheFirst) {
  const Problem problem(2);
  OneLaneLauncher one_lane;
  Device<MixedPrecision> all(problem, kRoom);
  all.make(&one_lane, [] {});
  for (const int room : {0, 1, 50}) {
    SCOPED_TRACE(room);
    Device<MixedPrecision> device(problem, room);
    MimicLauncher launcher({.seed = 2, .n_block = 4, .strict_regions = true});
    device.name(&launcher);
    device.make(&launcher, [] {});
    EXPECT_TRUE(launcher.conflicts().empty());
    for (int p = 0; p < room; ++p) {
      EXPECT_EQ(device.pairs()[p].slot, all.pairs()[p].slot);
      EXPECT_TRUE(same(device.pairs()[p].compliance, all.pairs()[p].compliance));
    }
  }
}

}  // namespace
}  // namespace nodia::test
