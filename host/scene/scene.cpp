#include "host/scene/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "fem/mesh_quality.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"

namespace nodia {
namespace {

/// The keys of one object: `obstacle 'floor': friction`.
class Keys {
 public:
  Keys(const std::string& kind, const std::string& name) : prefix_(kind + " '" + name + "': ") {}
  explicit Keys(std::string prefix) : prefix_(std::move(prefix)) {}

  std::string operator()(const std::string& key) const { return prefix_ + key; }
  /// Without the separator: where the object is named alone.
  std::string object() const { return prefix_.substr(0, prefix_.size() - 2); }

 private:
  std::string prefix_;
};

void require_positive(const std::string& key, double value, const std::string& hint) {
  require(value > 0 && std::isfinite(value), key, value, "> 0 and finite", hint);
}

void require_not_negative(const std::string& key, double value, const std::string& hint) {
  require(value >= 0 && std::isfinite(value), key, value, ">= 0 and finite", hint);
}

void require_unit_range(const std::string& key, double value, const std::string& hint) {
  require(value >= 0 && value <= 1, key, value, "in [0, 1]", hint);
}

void require_finite(const std::string& key, Vec3d v, const std::string& hint) {
  if (!is_finite(v)) {
    throw_bad_value(key, fmt::format("[{}, {}, {}]", v.x, v.y, v.z), "finite", hint);
  }
}

void require_friction(const std::string& key, double value) {
  require_not_negative(key, value, "0 is frictionless, rubber on stone about 1");
}

template <class Object>
void require_names(const std::string& kind, const std::vector<Object>& objects) {
  std::set<std::string> seen;
  for (std::size_t k = 0; k < objects.size(); ++k) {
    const std::string& name = objects[k].name;
    const std::string key = fmt::format("{} {}: name", kind, k);
    if (name.empty()) throw_bad_value(key, "''", "not empty", "name every object");
    if (!seen.insert(name).second) {
      throw_bad_value(key, "'" + name + "'", "unique", "another " + kind + " has this name");
    }
  }
}

template <class Object>
const Object& find_named(const std::string& key, const std::string& kind, const std::string& name,
                         const std::vector<Object>& objects) {
  std::vector<std::string> known;
  for (const Object& object : objects) {
    if (object.name == name) return object;
    known.push_back(object.name);
  }
  throw_bad_value(key, "'" + name + "'", "the name of an existing " + kind,
                  known.empty() ? "there is none" : "nearest: '" + nearest_name(name, known) + "'");
}

void validate_time(const TimeOptions& time) {
  require(time.step_s > 0 && time.step_s <= 1, "time.step_s", time.step_s, "in (0, 1]", "try 0.01");
  require(time.theta >= 0.5 && time.theta <= 1, "time.theta", time.theta, "in [0.5, 1]",
          "1 is implicit Euler, 0.5 the passive midpoint");
  require_positive("time.duration_s", time.duration_s, "try 1");
  constexpr int kMaxSteps = std::numeric_limits<int>::max();
  require(time.duration_s / time.step_s <= kMaxSteps, "time.duration_s", time.duration_s,
          fmt::format("at most {} steps of time.step_s", kMaxSteps), "try 1");
}

void validate_contact(const ContactOptions& contact) {
  require_not_negative("contact.margin_m", contact.margin_m, "try 0.002");
  require_not_negative("contact.rest_speed_m_s", contact.rest_speed_m_s, "try 0.01");
  require_unit_range("contact.penetration_recovery", contact.penetration_recovery, "try 0.2");
  require_positive("contact.recovery_speed_m_s", contact.recovery_speed_m_s, "try 0.5");
}

void validate_pose(const Keys& keys, const Pose& pose) {
  require_finite(keys("pose.position_m"), pose.position, "give three numbers in metres");
  const Mat3d error = pose.rotation * transpose(pose.rotation) - Mat3d::identity();
  double largest = 0;
  bool good = true;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      largest = std::max(largest, std::fabs(error(i, j)));
      good = good && std::fabs(error(i, j)) <= 1e-9;
    }
  }
  if (!good) {
    throw_bad_value(keys("pose.rotation"), fmt::format("a matrix with |R R^T - I| = {}", largest),
                    "orthonormal to 1e-9", "make it from a unit quaternion");
  }
  require(determinant(pose.rotation) > 0, keys("pose.rotation determinant"),
          determinant(pose.rotation), "1", "it mirrors the body");
}

void validate_node_sets(const Keys& keys, const TetMesh& mesh) {
  for (const auto& [name, nodes] : mesh.node_sets) {
    for (const std::int32_t node : nodes) {
      if (node < 0 || static_cast<std::size_t>(node) >= mesh.nodes.size()) {
        throw_bad_value(keys("node of set '" + name + "'"), std::to_string(node),
                        fmt::format("in [0, {})", mesh.nodes.size()), "the mesh has no such node");
      }
    }
  }
}

void validate_soft_body(const SoftBodyDescription& body) {
  const Keys keys("soft body", body.name);
  require_usable(body.mesh, keys.object());
  validate_node_sets(keys, body.mesh);
  body.material.validate(keys("material"));
  validate_pose(keys, body.pose);
  require_finite(keys("velocity_m_s"), body.velocity, "give three numbers in m/s");
  require_friction(keys("friction"), body.friction);
}

void validate_shape(const Keys& keys, const ObstacleDescription& obstacle) {
  const Shape& shape = obstacle.shape;
  const auto radius = [&] { require_positive(keys("shape.radius_m"), shape.radius, "in metres"); };
  const auto length = [&] { require_positive(keys("shape.length_m"), shape.length, "in metres"); };
  switch (shape.kind) {
    case ShapeKind::half_space:
      return;
    case ShapeKind::box:
      for (int axis = 0; axis < 3; ++axis) {
        require_positive(keys(fmt::format("shape.size_m[{}]", axis)), shape.size[axis],
                         "in metres");
      }
      return;
    case ShapeKind::sphere:
      return radius();
    case ShapeKind::cylinder:
    case ShapeKind::capsule:
      radius();
      return length();
    case ShapeKind::distance_grid:
      if (!obstacle.grid || obstacle.grid->view().value != shape.grid.value) {
        throw_bad_value(keys("shape.grid"), obstacle.grid ? "samples of another grid" : "nothing",
                        "the view of the obstacle's distance grid", "make one from a closed mesh");
      }
      return;
  }
  throw_bad_value(keys("shape.kind"), static_cast<double>(shape.kind), "a kind of shape", "");
}

void validate_obstacle(const ObstacleDescription& obstacle) {
  const Keys keys("obstacle", obstacle.name);
  validate_shape(keys, obstacle);
  obstacle.path.validate(keys("path"));
  require_friction(keys("friction"), obstacle.friction);
  require_unit_range(keys("restitution"), obstacle.restitution, "0 does not bounce");
}

void validate_attachment(const AttachmentDescription& attachment,
                         const std::vector<SoftBodyDescription>& bodies) {
  const Keys keys("attachment", attachment.name);
  const SoftBodyDescription& body = find_named(keys("body"), "soft body", attachment.body, bodies);
  const auto& sets = body.mesh.node_sets;
  const auto set = sets.find(attachment.node_set);
  if (set == sets.end()) {
    std::vector<std::string> known;
    for (const auto& [name, nodes] : sets) known.push_back(name);
    throw_bad_value(keys("node_set"), "'" + attachment.node_set + "'",
                    "a node set of soft body '" + body.name + "'",
                    known.empty() ? "its mesh has none"
                                  : "nearest: '" + nearest_name(attachment.node_set, known) + "'");
  }
  if (set->second.empty()) {
    throw_bad_value(keys("node_set"), "'" + attachment.node_set + "'", "a set with nodes",
                    "it is empty");
  }
  require_positive(keys("stiffness_N_m"), attachment.stiffness_N_m, "try 1000");
  attachment.path.validate(keys("path"));
  require(std::isfinite(attachment.release_time_s), keys("release_time_s"),
          attachment.release_time_s, "finite", "a negative one is never");
}

void validate_friction_pairs(const Scene& scene) {
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t k = 0; k < scene.friction_pairs.size(); ++k) {
    const PairFriction& pair = scene.friction_pairs[k];
    const Keys keys(fmt::format("friction_pairs[{}].", k));
    find_named(keys("body"), "soft body", pair.body, scene.soft_bodies);
    find_named(keys("obstacle"), "obstacle", pair.obstacle, scene.obstacles);
    require_friction(keys("friction_1"), pair.friction_1);
    require_friction(keys("friction_2"), pair.friction_2);
    if (!seen.insert({pair.body, pair.obstacle}).second) {
      throw_bad_value(keys("obstacle"), "'" + pair.obstacle + "'",
                      "named once with body '" + pair.body + "'", "remove one of the entries");
    }
  }
}

}  // namespace

void Scene::validate() const {
  require_finite("gravity_m_s2", gravity_m_s2, "the Earth's is [0, 0, -9.81]");
  validate_time(time);
  validate_contact(contact);
  require_names("soft body", soft_bodies);
  require_names("obstacle", obstacles);
  require_names("attachment", attachments);
  require(!soft_bodies.empty(), "number of soft bodies", 0, ">= 1", "nothing would move");
  for (const SoftBodyDescription& body : soft_bodies) validate_soft_body(body);
  for (const ObstacleDescription& obstacle : obstacles) validate_obstacle(obstacle);
  for (const AttachmentDescription& attachment : attachments) {
    validate_attachment(attachment, soft_bodies);
  }
  validate_friction_pairs(*this);
}

PairFriction Scene::friction_of(const SoftBodyDescription& body,
                                const ObstacleDescription& obstacle) const {
  for (const PairFriction& pair : friction_pairs) {
    if (pair.body == body.name && pair.obstacle == obstacle.name) return pair;
  }
  const double larger = std::max(body.friction, obstacle.friction);
  return {body.name, obstacle.name, larger, larger};
}

}  // namespace nodia
