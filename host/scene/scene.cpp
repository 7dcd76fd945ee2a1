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

/// Objects that have names in common share a name space.
void require_distinct_names(const Scene& scene) {
  std::set<std::string> seen;
  const auto add = [&](const auto& objects, const char* kind) {
    for (const auto& object : objects)
      if (!seen.insert(object.name).second)
        throw_bad_value(std::string(kind) + ": name", "'" + object.name + "'",
                        "unique among bodies, cables, robots and obstacles", "rename one of them");
  };
  add(scene.soft_bodies, "soft body");
  add(scene.rigid_bodies, "rigid body");
  add(scene.cables, "cable");
  add(scene.robots, "robot");
  add(scene.obstacles, "obstacle");
}

/// Force sensors are told apart by their names alone, also from mounts and attachments.
void require_distinct_sensors(const Scene& scene) {
  std::set<std::string> seen;
  for (const MountDescription& mount : scene.mounts) seen.insert(mount.name);
  for (const AttachmentDescription& attachment : scene.attachments) seen.insert(attachment.name);
  for (const RobotSceneDescription& robot : scene.robots) {
    for (const ForceSensorDescription& sensor : robot.force_sensors) {
      const std::string key = "robot '" + robot.name + "': force_sensors: name";
      if (sensor.name.empty()) throw_bad_value(key, "''", "not empty", "name every sensor");
      if (!seen.insert(sensor.name).second)
        throw_bad_value(key, "'" + sensor.name + "'",
                        "unique among mounts, attachments and force sensors", "rename one of them");
    }
  }
}

/// @return whether there is an object of the name
template <class Object>
bool is_named(const std::string& name, const std::vector<Object>& objects) {
  return std::any_of(objects.begin(), objects.end(),
                     [&](const Object& object) { return object.name == name; });
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
  require_not_negative(keys("thickness_m"), body.thickness_m, "try 0");
}

/// @param owner  an object with shape and grid
template <class Owner>
void validate_shape(const Keys& keys, const Owner& owner) {
  const Shape& shape = owner.shape;
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
      if (!owner.grid || owner.grid->view().value != shape.grid.value) {
        throw_bad_value(keys("shape.grid"), owner.grid ? "samples of another grid" : "nothing",
                        "the view of the object's distance grid", "make one from a closed mesh");
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

void validate_inertia(const Keys& keys, const Mat3d& inertia) {
  double scale = 0, asymmetry = 0;
  for (int i = 0; i < 3; ++i) {
    require_finite(keys("inertia_kg_m2"), inertia.row[i], "");
    scale = std::max(scale, inertia(i, i));
    for (int j = 0; j < i; ++j)
      asymmetry = std::max(asymmetry, std::fabs(inertia(i, j) - inertia(j, i)));
  }
  const double minor = inertia(0, 0) * inertia(1, 1) - inertia(0, 1) * inertia(1, 0);
  if (!(asymmetry <= 1e-9 * scale && inertia(0, 0) > 0 && minor > 0 && determinant(inertia) > 0))
    throw_bad_value(keys("inertia_kg_m2"), "a matrix that no body has",
                    "symmetric positive definite", "about the centre of mass, body axes");
}

void validate_rigid_body(const RigidBodyDescription& body) {
  const Keys keys("rigid body", body.name);
  validate_shape(keys, body);
  if (body.shape.kind == ShapeKind::half_space)
    throw_bad_value(keys("shape.kind"), "half_space", "a bounded shape", "make it an obstacle");
  validate_pose(Keys(keys("shape_")), body.shape_pose);
  require_positive(keys("mass_kg"), body.mass_kg, "try 1");
  validate_inertia(keys, body.inertia_kg_m2);
  validate_pose(keys, body.pose);
  require_finite(keys("velocity_m_s"), body.velocity_m_s, "give three numbers in m/s");
  require_finite(keys("angular_velocity_rad_s"), body.angular_velocity_rad_s, "in rad/s");
  require_finite(keys("force_N"), body.force_N, "in newtons");
  require_friction(keys("friction"), body.friction);
  require_unit_range(keys("restitution"), body.restitution, "0 does not bounce");
}

void validate_cable(const CableDescription& cable) {
  const Keys keys("cable", cable.name);
  require(cable.points_m.size() >= 2, keys("points_m"), cable.points_m.size(), "at least 2 points",
          "from the rear end to the front end");
  for (std::size_t k = 0; k < cable.points_m.size(); ++k) {
    const std::string key = keys(fmt::format("points_m[{}]", k));
    require_finite(key, cable.points_m[k], "in metres");
    if (k > 0)
      require_positive(key + ", distance to the one before",
                       norm(cable.points_m[k] - cable.points_m[k - 1]), "remove one of them");
  }
  require(cable.links >= 1, keys("links"), cable.links, ">= 1", "try 100");
  require_positive(keys("radius_m"), cable.radius_m, "in metres");
  cable.material.validate(keys("material"));
  require_friction(keys("friction"), cable.friction);
  if (cable.self_contact && cable.contact != RodContact::segments)
    throw_bad_value(keys("self_contact"), "true", "false with contact: link_centres",
                    "or set contact: segments");
}

void validate_robot(const RobotSceneDescription& robot) {
  const Keys keys("robot", robot.name);
  robot.robot.validate(keys.object());
  validate_pose(keys, robot.base);
  std::size_t n_dof = 0;
  for (const RobotLink& link : robot.robot.links)
    if (link.parent >= 0 && link.joint.kind != JointKind::fixed && !link.joint.mimic) ++n_dof;
  if (!robot.q.empty())
    require(robot.q.size() == n_dof, keys("q"), robot.q.size(),
            fmt::format("{} values, one a coordinate", n_dof), "leave it out for zero");
  for (std::size_t k = 0; k < robot.q.size(); ++k)
    require(std::isfinite(robot.q[k]), keys(fmt::format("q[{}]", k)), robot.q[k], "finite", "");
  for (const JointDriveDescription& drive : robot.joint_drives) {
    const std::string prefix = "joint_drives." + drive.joint + ".";
    if (robot.robot.find_joint(drive.joint) < 0)
      throw_bad_value(keys("joint_drives"), "'" + drive.joint + "'", "the name of a joint", "");
    require_not_negative(keys(prefix + "stiffness"), drive.stiffness, "try 100");
    require_not_negative(keys(prefix + "damping"), drive.damping, "try 10");
    for (std::size_t k = 0; k < drive.path.size(); ++k) {
      require(std::isfinite(drive.path[k].target), keys(prefix + "target"), drive.path[k].target,
              "finite", "");
      require(std::isfinite(drive.path[k].time_s) &&
                  (k == 0 || drive.path[k].time_s > drive.path[k - 1].time_s),
              keys(prefix + "time_s"), drive.path[k].time_s, "ascending", "");
    }
  }
  for (const PoseDriveDescription& drive : robot.pose_drives) {
    const std::string prefix = "pose_drives." + drive.link + ".";
    if (robot.robot.find_link(drive.link) < 0)
      throw_bad_value(keys("pose_drives"), "'" + drive.link + "'", "the name of a link", "");
    drive.path.validate(keys(prefix + "path"));
    for (const auto& [key, value] : {std::pair("stiffness_N_m", drive.stiffness_N_m),
                                     std::pair("damping_N_s_m", drive.damping_N_s_m),
                                     std::pair("stiffness_Nm_rad", drive.stiffness_Nm_rad),
                                     std::pair("damping_Nms_rad", drive.damping_Nms_rad)})
      require_not_negative(keys(prefix + key), value, "try 1000");
  }
  require_friction(keys("friction"), robot.friction);
  for (const ForceSensorDescription& sensor : robot.force_sensors) {
    const std::string key = keys("force_sensors." + sensor.name + ".link");
    const int link = robot.robot.find_link(sensor.link);
    if (link < 0) {
      std::vector<std::string> known;
      for (const RobotLink& l : robot.robot.links) known.push_back(l.name);
      throw_bad_value(key, "'" + sensor.link + "'", "the name of a link",
                      "nearest: '" + nearest_name(sensor.link, known) + "'");
    }
    if (link == 0)
      throw_bad_value(key, "'" + sensor.link + "'", "a link that hangs on a joint",
                      "the root hangs on nothing");
  }
}

/// The holder of an attachment or a mount.
void validate_holder(const Keys& keys, const Scene& scene, const std::string& robot,
                     const std::string& link, const Path& path) {
  path.validate(keys("path"));
  if (robot.empty()) return;
  const RobotSceneDescription& found = find_named(keys("robot"), "robot", robot, scene.robots);
  if (found.robot.find_link(link) < 0) {
    std::vector<std::string> known;
    for (const RobotLink& l : found.robot.links) known.push_back(l.name);
    throw_bad_value(keys("link"), "'" + link + "'", "a link of robot '" + robot + "'",
                    "nearest: '" + nearest_name(link, known) + "'");
  }
  if (!path.keys.empty())
    throw_bad_value(keys("path"), "given", "left out where a robot holds",
                    "or leave out the robot");
}

void validate_mount(const MountDescription& mount, const Scene& scene) {
  const Keys keys("mount", mount.name);
  const bool cable = is_named(mount.body, scene.cables);
  if (!cable) find_named(keys("body"), "rigid body or cable", mount.body, scene.rigid_bodies);
  if (cable != (mount.at != MountPoint::body))
    throw_bad_value(keys("at"), cable ? "body" : "an end", cable ? "rear or front" : "body",
                    "a cable is held at an end");
  require_finite(keys("point_m"), mount.point_m, "in metres");
  validate_holder(keys, scene, mount.robot, mount.link, mount.path);
  for (const auto& [key, value] : {std::pair("stiffness_N_m", mount.stiffness_N_m),
                                   std::pair("stiffness_Nm_rad", mount.stiffness_Nm_rad)}) {
    if (value) require_not_negative(keys(key), *value, "try 1000");
    const bool needed = std::string(key) == "stiffness_N_m" || mount.moment;
    if (!cable && needed && !value)
      throw_bad_value(keys(key), "nothing", "given for a rigid body", "try 1000");
  }
  require_positive(keys("stiffness_links"), mount.stiffness_links, "try 0.5");
  require_not_negative(keys("damping_s"), mount.damping_s, "try 0");
  require(std::isfinite(mount.release_time_s), keys("release_time_s"), mount.release_time_s,
          "finite", "a negative one is never");
}

void validate_attachment(const AttachmentDescription& attachment, const Scene& scene) {
  const Keys keys("attachment", attachment.name);
  const SoftBodyDescription& body =
      find_named(keys("body"), "soft body", attachment.body, scene.soft_bodies);
  validate_holder(keys, scene, attachment.robot, attachment.link, attachment.path);
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
  require(std::isfinite(attachment.release_time_s), keys("release_time_s"),
          attachment.release_time_s, "finite", "a negative one is never");
}

std::vector<SurfaceMaterial> surfaces_of(const Scene& scene) {
  std::vector<SurfaceMaterial> surfaces;
  const auto add = [&](const auto& objects) {
    for (const auto& object : objects) surfaces.push_back(surface_material(object));
  };
  add(scene.soft_bodies);
  add(scene.rigid_bodies);
  add(scene.cables);
  add(scene.robots);
  add(scene.obstacles);
  return surfaces;
}

void validate_friction_pairs(const Scene& scene) {
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t k = 0; k < scene.friction_pairs.size(); ++k) {
    const PairFriction& pair = scene.friction_pairs[k];
    const Keys keys(fmt::format("friction_pairs[{}].", k));
    const std::vector<SurfaceMaterial> surfaces = surfaces_of(scene);
    find_named(keys("body"), "body", pair.body, surfaces);
    find_named(keys("obstacle"), "body or obstacle", pair.obstacle, surfaces);
    require_finite(keys("axis"), pair.axis, "zero for none");
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
  require_names("rigid body", rigid_bodies);
  require_names("cable", cables);
  require_names("robot", robots);
  require_names("obstacle", obstacles);
  require_names("mount", mounts);
  require_names("attachment", attachments);
  require_distinct_names(*this);
  require_distinct_sensors(*this);
  require(soft_bodies.size() + rigid_bodies.size() + cables.size() + robots.size() > 0,
          "number of bodies", 0, ">= 1", "nothing would move");
  for (const SoftBodyDescription& body : soft_bodies) validate_soft_body(body);
  for (const RigidBodyDescription& body : rigid_bodies) validate_rigid_body(body);
  for (const CableDescription& cable : cables) validate_cable(cable);
  for (const RobotSceneDescription& robot : robots) validate_robot(robot);
  for (const MountDescription& mount : mounts) validate_mount(mount, *this);
  for (const ObstacleDescription& obstacle : obstacles) validate_obstacle(obstacle);
  for (const AttachmentDescription& attachment : attachments) {
    validate_attachment(attachment, *this);
  }
  validate_friction_pairs(*this);
}

std::vector<std::string> sensor_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const MountDescription& mount : scene.mounts) names.push_back(mount.name);
  for (const AttachmentDescription& attachment : scene.attachments)
    names.push_back(attachment.name);
  for (const RobotSceneDescription& robot : scene.robots)
    for (const ForceSensorDescription& sensor : robot.force_sensors) names.push_back(sensor.name);
  return names;
}

SurfaceMaterial surface_material(const SoftBodyDescription& body) {
  return {body.name, body.friction, 0};
}
SurfaceMaterial surface_material(const RigidBodyDescription& body) {
  return {body.name, body.friction, body.restitution};
}
SurfaceMaterial surface_material(const CableDescription& cable) {
  return {cable.name, cable.friction, 0};
}
SurfaceMaterial surface_material(const RobotSceneDescription& robot) {
  return {robot.name, robot.friction, 0};
}
SurfaceMaterial surface_material(const ObstacleDescription& obstacle) {
  return {obstacle.name, obstacle.friction, obstacle.restitution};
}

PairFriction Scene::friction_of(const SurfaceMaterial& a, const SurfaceMaterial& b) const {
  for (const PairFriction& pair : friction_pairs)
    if ((pair.body == a.name && pair.obstacle == b.name) ||
        (pair.body == b.name && pair.obstacle == a.name))
      return pair;
  const double larger = std::max(a.friction, b.friction);
  return {a.name, b.name, larger, larger, {}};
}

}  // namespace nodia
