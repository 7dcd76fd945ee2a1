/// Environments with an evaluated solution at the end of a step, and the host's results for them.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "host/simulation/attachments.hpp"
#include "host/simulation/obstacle_force.hpp"
#include "host/solvers/report.hpp"
#include "kernels/contact/contact_state.hpp"
#include "kernels/step/contact_at.hpp"
#include "kernels/step/end_of_step.hpp"
#include "tests/support/soft_step.hpp"

namespace nodia::test {

/// Value of data that a step does not write, or must not read.
inline constexpr double kUnwritten = std::numeric_limits<double>::quiet_NaN();

/// Three attachments with moving and rotating frames: all nodes of the first body, some of its
/// nodes, and nodes of every body; the second is released.
class TestAttachments {
 public:
  TestAttachments(const SoftStepScene& scene, FemRandom* random) : scene_(scene.scene) {
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
    targets_ = Targets::of(scene_, scene.system);
    attachments_ = Attachments(scene_, targets_.attachments, scene.system, scene.state.x);
  }
  TestAttachments(const TestAttachments&) = delete;
  TestAttachments& operator=(const TestAttachments&) = delete;

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

/// Environment whose step was solved and evaluated.
struct Solved {
  SoftStepScene scene;
  std::unique_ptr<TestAttachments> attached;
  std::vector<PreparedObstacle> obstacle;
  std::vector<ContactRule> rule;
  std::vector<std::int32_t> surface, slot;  ///< slot: per candidate pair
  std::vector<Vec3d> kept;                  ///< per candidate pair
  ContactTimes times;
  std::vector<Vec3d> v_hat;
  SolveStatus status = SolveStatus::converged;
  SoftEvaluation evaluation;
  bool is_inactive = false;

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
        kept.push_back(touches ? force_of(rule_of(i, k), &random)
                               : Vec3d{kUnwritten, kUnwritten, kUnwritten});
      }
    }
    evaluation.sums.dynamics = {1e-12, 3, 4};
    evaluation.sums.contacts = {1e-8, 0.2, 0.3};
    attached = std::make_unique<TestAttachments>(scene, &random);
  }

  int n_node() const { return static_cast<int>(scene.state.x.size()); }
  int n_obstacle() const { return static_cast<int>(obstacle.size()); }

  /// Contact data without the loop's rows.
  SoftContacts make() const {
    SoftContacts c;
    c.near.n_node = is_inactive ? 0 : n_node();
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
  /// Zero force, sticking, on the edge of the cone, or pulling.
  static Vec3d force_of(const ContactRule& rule, FemRandom* random) {
    const double n = random->uniform(1, 5), kind = random->uniform(0, 1);
    if (kind < 0.3) return {};
    if (kind < 0.6) return {n, 0.4 * rule.mu1 * n, -0.3 * rule.mu2 * n};
    if (kind < 0.9) return {n, rule.mu1 * n, 0};
    return {-n, 1, 1};
  }
};

/// Result of an environment after the step.
struct Ended {
  std::vector<Vec3d> x;                     ///< at the end; empty without a valid end
  std::vector<AttachmentSums> attachments;  ///< likewise
  SoftEnd end;
};

/// @param v_hat  in the loop's precision
inline Ended by_host(Solved* s, const std::vector<Vec3d>& v_hat) {
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
  evaluate_from(s->evaluation, s->scene.scene.time, &report);
  ended.end.is_reached = ended.end.is_finite && report.status != SolveStatus::not_a_number;
  if (ended.end.is_reached) {
    ended.x = state.x;
    const double begin_s = state.time_s;
    state.time_s += s->scene.scene.time.step_s;
    ended.attachments = s->attached->attachments().sums(begin_s, state, system);
    ended.end.kinetic_J = system.energies(state, 2).kinetic_J;
    ended.end.elastic_J = system.soft_bodies().model().elastic_energy(state.x.data(), 2);
    // The host computes it only together with the elastic energy.
    ended.end.gravity_J = system.energies(state, 2).potential_J;
  }
  return ended;
}

}  // namespace nodia::test
