/// Scenes of soft bodies at obstacles in the middle of a step, and their contact problem, with
/// generated soft-soft pairs.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <string>
#include <vector>

#include "fem/mesh/meshers.hpp"
#include "host/errors/errors.hpp"
#include "host/simulation/contact_rules.hpp"
#include "host/solvers/cond/nodalization.hpp"
#include "kernels/step/pair_contacts.hpp"
#include "tests/step/step_environment.hpp"

namespace nodia::test {

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
  scene.contact.edges_at_obstacles = false;
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

/// Scene in the middle of a step, with the input of contacts with obstacles.
struct Environment : StepEnvironment {
  std::vector<std::int32_t> surface;  ///< these three arrays as in SoftContacts
  std::vector<std::uint8_t> may_collide;
  std::vector<ContactRule> rule;

  Environment(unsigned seed, TimeStep step, int n_obstacle, std::array<int, 3> cells)
      : StepEnvironment(
            make_scene(seed, step, n_obstacle, cells), seed + 50, [](Vec3d x) { return x; }, 1e-3,
            0.5) {
    const FrictionTable friction(scene);
    const Objects objects(scene);
    may_collide.assign(2 * paths.size(), 1);
    for (const BodyRange& body : system.layout().bodies())
      surface.insert(surface.end(), body.end_row() - body.first_row,
                     surface.empty() ? 0 : 1 + surface.back());
    for (const SoftBodyDescription& body : scene.soft_bodies)
      for (const ObstacleDescription& o : scene.obstacles)
        rule.push_back(contact_rule(friction.of(objects.find(body.name), objects.find(o.name)),
                                    o.restitution));
  }

  /// Index of a candidate pair of node and obstacle; -1 if it is none or may not collide.
  int place(const SurfacePair& pair) const {
    if (pair.rule != PairRule::node) return -1;
    const int node = pair.i.node[0], k = pair.surface_j - n_body();
    const bool may_collide_there =
        surface[node] >= 0 && may_collide[surface[node] * n_obstacle() + k] != 0;
    return is_inactive || !may_collide_there ? -1 : node * n_obstacle() + k;
  }
};

/// Several environments and their contact problem on the host.
struct Problem {
  std::deque<Environment> env;
  ContactProblem p;
  WarmStart warm;
  std::vector<int> place;                 ///< of every contact
  std::vector<std::vector<double>> kept;  ///< per environment
  /// Per environment, behind its other contacts: pairs of the device, without indices of points.
  std::vector<std::vector<PairContact>> pairs;

  /// @param n_pair  number of soft-soft pairs in the largest environment
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
    env[1].may_collide[2] = 0;
    env[2].is_inactive = true;
    for (std::int32_t& surface : env[3].surface)
      if (surface == 1) surface = -1;
    join_rows(env, &p);
    for (std::size_t k = 0; k < env.size(); ++k) {
      const Environment& e = env[k];
      add_contacts(e, p.env_node_begin[k], &random);
      add_pairs(e, p.env_node_begin[k], e.is_inactive ? 0 : n_pair * e.n_node() / env[0].n_node(),
                &random);
      p.env_contact_begin.push_back(p.n_contact());
      p.env_point_begin.push_back(p.points.size());
    }
    if (p.points.size() == 0) p.env_point_begin = {0};
    p.mass.assign(p.b.size(), 1.0);
    p.derive_topology();
    warm.v.resize(p.b.size());
    if (n_pair == 0) return;
    // Values that are exact in any precision.
    for (Vec3d& v : warm.v) v = cast<double>(cast<float>(random.vector(0.5)));
    find_compliance();
  }

 private:
  void add_contacts(const Environment& e, int first, FemRandom* random) {
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

  /// Adds a side of a pair from a few nodes, and returns its index in the problem.
  std::int32_t add_side(std::vector<std::int32_t>* nodes, int n, int first, FemRandom* random,
                        PairSide* side) {
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
    return p.n_node() + p.points.finish();
  }

  void add_pairs(const Environment& e, int first, int n, FemRandom* random) {
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
      c.side_i = add_side(&nodes, of_edges ? 2 : 1, first, random, &pair.side[0]);
      c.side_j = add_side(&nodes, of_edges ? 2 : 1 + m % 4 % 3, first, random, &pair.side[1]);
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

}  // namespace nodia::test
