#include "host/scene/attachment_distance.hpp"

#include <algorithm>

namespace nodia {
namespace {

/// Distances as multiples of the extent of a body.
constexpr double kFar = 0.5, kFarForAPull = 0.1;

/// Origin of the attachment frame at t = 0 [m].
Vec3d origin(const AttachmentFrameDescription& attachment_frame, const Scene& scene,
             std::span<const RobotModel> robots) {
  if (attachment_frame.is_along_path()) return attachment_frame.path.at(0).position;
  const RobotModel& model =
      robots[static_cast<std::size_t>(index_of(scene.robots, attachment_frame.robot))];
  return model
      .link_poses()[static_cast<std::size_t>(model.description().find_link(attachment_frame.link))]
      .position;
}

/// Distance of a point from its place in an attachment frame at t = 0, if the point kept its place
/// in the frame's first pose [m].
double pull(const AttachmentFrameDescription& attachment_frame, Vec3d point) {
  if (!attachment_frame.path.moves()) return 0;
  const Pose first = attachment_frame.path.at(attachment_frame.path.keys.front().time_s);
  return norm(attachment_frame.path.at(0).to_world(first.to_local(point)) - point);
}

double extent(const CableDescription& cable) {
  double length_m = 0;
  for (std::size_t k = 1; k < cable.points_m.size(); ++k)
    length_m += norm(cable.points_m[k] - cable.points_m[k - 1]);
  return length_m;
}

double extent(const Shape& shape) {
  const ShapeBounds box = bounds_of(shape);
  return norm(box.hi - box.lo);
}

double extent(const TetMesh& mesh) {
  Vec3d low = mesh.nodes.front(), high = low;
  for (const Vec3d x : mesh.nodes)
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], x[axis]);
      high[axis] = std::max(high[axis], x[axis]);
    }
  return norm(high - low);
}

/// Held point, and the extent of the body or of its largest shape.
std::pair<Vec3d, double> held(const MountDescription& mount, const Scene& scene) {
  if (const int c = index_of(scene.cables, mount.body); c >= 0) {
    const CableDescription& cable = scene.cables[static_cast<std::size_t>(c)];
    return {mount.at == MountPoint::rear ? cable.points_m.front() : cable.points_m.back(),
            extent(cable)};
  }
  std::pair<Vec3d, double> found;
  visit_objects(scene,
                [&]<class Object>(ObjectKind, const char*, const std::vector<Object>& objects) {
                  if constexpr (RigidKind<Object>)
                    if (const int b = index_of(objects, mount.body); b >= 0) {
                      const Object& body = objects[static_cast<std::size_t>(b)];
                      found.first = body.pose.to_world(mount.point_m);
                      for (const PlacedShape& placed : shapes_of(body))
                        found.second = std::max(found.second, extent(placed.shape));
                    }
                });
  return found;
}

/// Mean of the attached nodes, and the extent of the body.
std::pair<Vec3d, double> held(const AttachmentDescription& attachment, const Scene& scene) {
  const SoftBodyDescription& body =
      scene.soft_bodies[static_cast<std::size_t>(index_of(scene.soft_bodies, attachment.body))];
  const std::vector<std::int32_t>& nodes = body.mesh.node_sets.at(attachment.node_set);
  Vec3d sum{};
  for (const std::int32_t node : nodes) sum += body.mesh.nodes[static_cast<std::size_t>(node)];
  return {body.pose.to_world((1 / static_cast<double>(nodes.size())) * sum), extent(body.mesh)};
}

}  // namespace

Vec3d held_point(const MountDescription& mount, const Scene& scene) {
  return held(mount, scene).first;
}

std::vector<DistantAttachment> distant_attachments(const Scene& scene,
                                                   std::span<const RobotModel> robots) {
  std::vector<DistantAttachment> distant;
  const auto look = [&](const char* group, const auto& attachment_frame, bool keeps_place) {
    // It never holds the body, or what it holds keeps its place on another body.
    if (attachment_frame.release_time_s == 0 || !attachment_frame.to.empty()) return;
    const auto [point, extent_m] = held(attachment_frame, scene);
    const double distance_m = norm(point - origin(attachment_frame, scene, robots)),
                 pull_m = keeps_place ? pull(attachment_frame, point) : 0;
    if (pull_m > kFarForAPull * extent_m)
      distant.push_back(
          {group + attachment_frame.name, attachment_frame.body, pull_m, extent_m, true});
    else if (distance_m > (keeps_place ? kFar : kFarForAPull) * extent_m)
      distant.push_back(
          {group + attachment_frame.name, attachment_frame.body, distance_m, extent_m});
  };
  for (const MountDescription& mount : scene.mounts) look("mounts.", mount, mount.keeps_place);
  for (const AttachmentDescription& attachment : scene.attachments)
    look("attachments.", attachment, true);
  return distant;
}

}  // namespace nodia
