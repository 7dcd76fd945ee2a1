#include "host/scene/fingerprint.hpp"

#include <concepts>
#include <map>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "host/base/members.hpp"
#include "kernels/core/content_hash.hpp"

namespace nodia {
namespace {

/// Adds values of a scene to a hash: of a struct all members, in order, except where a function
/// below chooses.
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
  template <class Aggregate>
  requires std::is_aggregate_v<Aggregate>
  void one(const Aggregate& value) {
    std::apply([&](const auto&... member) { add(member...); }, members(value));
  }
  /// Owner of a shape's samples. The points of its surface follow from the samples and the mesh.
  void one(const std::shared_ptr<const DistanceGrid>& grid) {
    one(grid != nullptr);
    if (grid) add(grid->vertices());
  }

  void one(const DistanceGridView& grid) {
    const auto& [origin, spacing, n, value, mesh, features] = grid;
    const std::size_t n_sample = value ? std::size_t(n[0]) * n[1] * n[2] : 0;
    add(origin, spacing, n[0], n[1], n[2], n_sample);
    for (std::size_t k = 0; k < n_sample; ++k) one(value[k]);
  }
  void one(const RigidBodyDescription& body) {
    one(static_cast<const RigidDescription&>(body));
    add(body.shape, body.grid, body.shape_pose);
  }
  void one(const CompoundDescription& compound) {
    one(static_cast<const RigidDescription&>(compound));
    one(compound.parts);
  }
  void one(const LinkCollision& collision) {
    const auto& [name, pose, shape, mesh_path, mesh_scale, mesh_up_axis, mesh] = collision;
    add(pose, shape, mesh_scale);  // the shape is the mesh's distance grid
  }
  void one(const RobotSceneDescription& robot) {
    const auto& [name, description, base, q, joint_drives, pose_drives, gravity_compensation,
                 collides, self_contact, self_contact_exclude, friction, force_sensors, grids] =
        robot;
    add(name, description.links, base, q, joint_drives, pose_drives, gravity_compensation, collides,
        self_contact, self_contact_exclude, friction, force_sensors, grids);
  }
  void one(const MountDescription& mount) {
    one(static_cast<const AttachmentFrameDescription&>(mount));
    add(mount.name, mount.body, mount.at, mount.point_m, mount.keeps_place, mount.moment,
        mount.stiffness_N_m, mount.stiffness_Nm_rad, mount.stiffness_links, mount.damping_s,
        mount.breaks_at_N);
  }
  void one(const AttachmentDescription& attachment) {
    one(static_cast<const AttachmentFrameDescription&>(attachment));
    add(attachment.name, attachment.body, attachment.node_set, attachment.stiffness_N_m);
  }
  void one(const TimeOptions& time) {
    add(time.step_s, time.theta, time.joint_directions, time.geometric_stiffness);
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
