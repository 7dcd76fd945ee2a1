/// Scenes of soft bodies that touch each other and obstacles, and their contact problem.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "fem/mesh/meshers.hpp"
#include "host/simulation/contact_rules.hpp"
#include "tests/step/step_environment.hpp"
#include "tests/support/fem_random.hpp"
#include "tests/support/soft_bodies.hpp"

namespace nodia::test {

/// Kinds of bodies in a scene.
enum class PairedBodies : std::uint8_t { stack, pile, mat, alone };

/// Bodies that lie on each other or on themselves, and on a floor, in the middle of a step.
struct PairedEnvironment : StepEnvironment {
  std::shared_ptr<const ObstacleContacts> contacts;

  PairedEnvironment(PairedBodies bodies, unsigned seed, TimeStep step)
      : StepEnvironment(
            make_scene(bodies, step), seed + 50,
            [=](Vec3d x) {
              return bodies == PairedBodies::mat ? folded(x, kMatLength, 8e-4, kMatThickness) : x;
            },
            bodies == PairedBodies::mat ? 2e-4 : 1e-3, 0.2),
        contacts(finder.obstacle_contacts(system)) {}

  /// Candidate pair of a contact; -1 for a soft-soft pair.
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
  static constexpr double kMatLength = 0.12, kMatThickness = 4e-3;

  static SoftBodyDescription soft_body(const char* name, TetMesh mesh, Vec3d at, Vec3d turned) {
    SoftBodyDescription body;
    body.name = name;
    body.mesh = std::move(mesh);
    body.material.youngs_modulus_Pa = 2e4;
    body.pose = {at, rotation_matrix(quaternion_exp(turned))};
    body.friction = 0.6;
    return body;
  }

  static ObstacleDescription obstacle(const char* name, ShapeKind kind, Vec3d from) {
    ObstacleDescription o;
    o.name = name;
    o.shape.kind = kind;
    o.path.keys = {{0, from, {}}, {0.5, from + Vec3d{0, 0, 0.01}, {}}};
    return o;
  }

  static Scene make_scene(PairedBodies bodies, TimeStep step) {
    Scene scene;
    scene.name = "pairs";
    static_cast<TimeStep&>(scene.time) = step;
    scene.contact.margin_m = 2e-3;
    scene.contact.edges_at_obstacles = false;
    const TetMesh box = mesh_box({0.06, 0.05, 0.03}, {5, 4, 3});
    if (bodies == PairedBodies::mat) {
      scene.soft_bodies.push_back(
          soft_body("mat", mesh_mat({kMatLength, 0.05, kMatThickness}, 150), {}, {}));
      scene.soft_bodies.back().self_contact = true;
      scene.soft_bodies.back().thickness_m = 1e-4;
    } else {
      scene.soft_bodies.push_back(soft_body("below", box, {}, {}));
    }
    if (bodies == PairedBodies::stack || bodies == PairedBodies::pile) {
      scene.soft_bodies.push_back(soft_body("above", box, {0.03, 0.02, 0.0305}, {0, 0, 0.6}));
      scene.friction_pairs.push_back({"below", "above", 0.2, 0.7, {1, 1, 0}});
    }
    if (bodies == PairedBodies::pile)
      scene.soft_bodies.push_back(soft_body("ball", mesh_ball(0.02, 60), {0.03, 0.03, 0.081}, {}));
    scene.obstacles = {obstacle("floor", ShapeKind::half_space, {}),
                       obstacle("sphere", ShapeKind::sphere, {0.02, 0.01, -0.018})};
    scene.obstacles.back().shape.radius = 0.02;
    return scene;
  }
};

/// Several environments and their contact problem on the host.
struct PairedProblem {
  std::deque<PairedEnvironment> env;
  ContactProblem p;

  explicit PairedProblem(unsigned seed) {
    FemRandom random(seed + 9);
    p.step_s = random.uniform(0.001, 0.01);
    p.theta = seed % 2 == 0 ? 1 : random.uniform(0.5, 0.9);
    const TimeStep step{p.step_s, p.theta};
    env.emplace_back(PairedBodies::stack, seed, step);
    env.emplace_back(PairedBodies::alone, seed + 1, step);
    env.emplace_back(PairedBodies::mat, seed + 2, step);
    env.emplace_back(PairedBodies::stack, seed + 3, step);
    env.back().is_inactive = true;
    env.emplace_back(PairedBodies::pile, seed + 4, step);
    join_rows(env, &p);
    for (int e = 0; e < n_env(); ++e) {
      const std::vector<double>& mass = env[e].system.soft_bodies().model().mass();
      p.mass.insert(p.mass.end(), mass.begin(), mass.end());
      if (!env[e].is_inactive) add_contacts(env[e], p.env_node_begin[e]);
      p.env_contact_begin.push_back(p.n_contact());
      p.env_point_begin.push_back(p.points.size());
    }
    p.derive_topology();
  }

  int n_env() const { return p.n_env(); }
  /// First soft-soft contact of an environment; they follow its contacts with obstacles.
  int first_pair(int e) const {
    int m = p.env_contact_begin[e];
    const int first = m;
    while (m < p.env_contact_begin[e + 1] && env[e].place(m - first) >= 0) ++m;
    return m;
  }

 private:
  void add_contacts(const PairedEnvironment& e, int first) {
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

}  // namespace nodia::test
