#include "host/scene/fingerprint.hpp"

#include <concepts>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>

#include "kernels/core/content_hash.hpp"

namespace nodia {
namespace {

/// Adds the values of a scene to a hash. Structured bindings name all members, so that a new member
/// does not compile until it is added here.
class Fingerprint {
 public:
  template <class... Values>
  void add(const Values&... values) {
    (one(values), ...);
  }
  std::uint64_t value() const { return hash_.value(); }

 private:
  template <class Number>
  requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
  void one(Number number) { hash_.add(static_cast<double>(number)); }
  void one(const std::string& text) { hash_.add(std::string_view(text)); }
  void one(Vec3d v) { hash_.add(v); }
  void one(Quaternion q) { hash_.add(q); }
  void one(const Mat3d& m) { add(m.row[0], m.row[1], m.row[2]); }
  template <class Value>
  void one(const std::vector<Value>& list) {
    one(list.size());
    for (const Value& value : list) one(value);
  }
  template <class Value, std::size_t kSize>
  void one(const std::array<Value, kSize>& list) {
    for (const Value& value : list) one(value);
  }
  template <class Value>
  void one(const std::optional<Value>& value) {
    one(value.has_value());
    if (value) one(*value);
  }
  template <class Key, class Value>
  void one(const std::map<Key, Value>& map) {
    one(map.size());
    for (const auto& [key, value] : map) add(key, value);
  }
  /// Adds the points of a grid's surface. The shape adds its samples.
  void one(const std::shared_ptr<const DistanceGrid>& grid) {
    one(grid != nullptr);
    if (grid) add(grid->points(), grid->vertices());
  }

  void one(const Pose& pose) {
    const auto& [position, rotation] = pose;
    add(position, rotation);
  }
  void one(const Path::Key& key) {
    const auto& [time_s, position, orientation] = key;
    add(time_s, position, orientation);
  }
  void one(const Path& path) {
    const auto& [keys, profile] = path;
    add(keys, profile);
  }
  void one(const DistanceGridView& grid) {
    const auto& [origin, spacing, n, value] = grid;
    const std::size_t n_sample = value ? std::size_t(n[0]) * n[1] * n[2] : 0;
    add(origin, spacing, n[0], n[1], n[2], n_sample);
    for (std::size_t k = 0; k < n_sample; ++k) one(value[k]);
  }
  void one(const Shape& shape) {
    const auto& [kind, size, radius, length, grid, tube_radius] = shape;
    add(kind, size, radius, length, grid, tube_radius);
  }
  void one(const PlacedShape& placed) {
    const auto& [shape, pose, grid] = placed;
    add(shape, pose, grid);
  }
  void one(const TetMesh& mesh) {
    const auto& [nodes, tets, node_sets] = mesh;
    add(nodes, tets, node_sets);
  }
  void one(const Material& material) {
    const auto& [E, nu, density, mass_damping, stiffness_damping] = material;
    add(E, nu, density, mass_damping, stiffness_damping);
  }
  void one(const SoftBodyDescription& body) {
    const auto& [name, mesh, material, pose, velocity, friction, self_contact, thickness] = body;
    add(name, mesh, material, pose, velocity, friction, self_contact, thickness);
  }
  void one(const RigidDescription& body) {
    const auto& [name, mass, inertia, pose, velocity, angular_velocity, force, friction,
                 restitution] = body;
    add(name, mass, inertia, pose, velocity, angular_velocity, force, friction, restitution);
  }
  void one(const RigidBodyDescription& body) {
    one(static_cast<const RigidDescription&>(body));
    add(body.shape, body.grid, body.shape_pose);
  }
  void one(const CompoundPart& part) {
    const auto& [name, placed, density] = part;
    add(name, placed, density);
  }
  void one(const CompoundDescription& compound) {
    one(static_cast<const RigidDescription&>(compound));
    one(compound.parts);
  }
  void one(const RodMaterial& material) {
    const auto& [E, nu, density, shear_correction, damping, drag, drag_rotation] = material;
    add(E, nu, density, shear_correction, damping, drag, drag_rotation);
  }
  void one(const CableDescription& cable) {
    const auto& [name, points, links, radius, material, friction, contact, self_contact] = cable;
    add(name, points, links, radius, material, friction, contact, self_contact);
  }
  void one(const JointMimic& mimic) {
    const auto& [link, multiplier, offset] = mimic;
    add(link, multiplier, offset);
  }
  void one(const RobotJoint& joint) {
    const auto& [name, kind, origin, axis, lower, upper, max_velocity, max_effort, damping, mimic] =
        joint;
    add(name, kind, origin, axis, lower, upper, max_velocity, max_effort, damping, mimic);
  }
  void one(const RigidInertia& inertia) {
    const auto& [mass, centre, rotation] = inertia;
    add(mass, centre, rotation);
  }
  void one(const LinkCollision& collision) {
    const auto& [name, pose, shape, mesh_path, mesh_scale, mesh_up_axis, mesh] = collision;
    add(pose, shape, mesh_scale);  // the shape is the mesh's distance grid
  }
  void one(const RobotLink& link) {
    const auto& [name, parent, joint, inertia, collisions] = link;
    add(name, parent, joint, inertia, collisions);
  }
  void one(const JointDriveDescription::Key& key) {
    const auto& [time_s, target] = key;
    add(time_s, target);
  }
  void one(const JointDriveDescription& drive) {
    const auto& [joint, stiffness, damping, path, profile] = drive;
    add(joint, stiffness, damping, path, profile);
  }
  void one(const PoseDriveDescription& drive) {
    const auto& [link, frame, path, stiffness, damping, angular_stiffness, angular_damping, name] =
        drive;
    add(link, frame, path, stiffness, damping, angular_stiffness, angular_damping, name);
  }
  void one(const ForceSensorDescription& sensor) {
    const auto& [name, link] = sensor;
    add(name, link);
  }
  void one(const RobotSceneDescription& robot) {
    const auto& [name, description, base, q, joint_drives, pose_drives, gravity_compensation,
                 collides, friction, force_sensors, grids] = robot;
    add(name, description.links, base, q, joint_drives, pose_drives, gravity_compensation, collides,
        friction, force_sensors, grids);
  }
  void one(const ObstacleDescription& obstacle) {
    const auto& [name, shape, grid, path, friction, restitution] = obstacle;
    add(name, shape, grid, path, friction, restitution);
  }
  void one(const AttachmentFrameDescription& attachment_frame) {
    const auto& [robot, link, path, release_time_s] = attachment_frame;
    add(robot, link, path, release_time_s);
  }
  void one(const MountDescription& mount) {
    one(static_cast<const AttachmentFrameDescription&>(mount));
    add(mount.name, mount.body, mount.at, mount.point_m, mount.keeps_place, mount.moment,
        mount.stiffness_N_m, mount.stiffness_Nm_rad, mount.stiffness_links, mount.damping_s);
  }
  void one(const AttachmentDescription& attachment) {
    one(static_cast<const AttachmentFrameDescription&>(attachment));
    add(attachment.name, attachment.body, attachment.node_set, attachment.stiffness_N_m);
  }
  void one(const PairFriction& pair) {
    const auto& [body, obstacle, friction_1, friction_2, axis] = pair;
    add(body, obstacle, friction_1, friction_2, axis);
  }
  void one(const ExternalForceDescription& external_force) {
    const auto& [name, body, link, force, from_s, duration_s] = external_force;
    add(name, body, link, force, from_s, duration_s);
  }
  void one(const TimeOptions& time) { add(time.step_s, time.theta, time.geometric_stiffness); }
  void one(const ContactOptions& contact) {
    const auto& [margin, rest_speed, recovery, recovery_speed] = contact;
    add(margin, rest_speed, recovery, recovery_speed);
  }

  ContentHash hash_;
};

}  // namespace

std::uint64_t fingerprint(const Scene& scene) {
  const auto& [name, gravity, time, contact, soft_bodies, rigid_bodies, cables, compounds, robots,
               obstacles, mounts, attachments, friction_pairs, pushes] = scene;
  Fingerprint all;
  all.add(gravity, time, contact, soft_bodies, rigid_bodies, cables, compounds, robots, obstacles,
          mounts, attachments, friction_pairs, pushes);
  return all.value();
}

}  // namespace nodia
