#include "host/scene/holder_distance.hpp"

#include <algorithm>

#include "fem/robot/robot_model.hpp"

namespace nodia {
namespace {

/// Of extents.
constexpr double kFar = 10, kFarForAPull = 0.1;

/// Frames of a scene's holders at t = 0.
class HolderFrames {
 public:
  explicit HolderFrames(const Scene& scene) : scene_(scene) {
    for (const RobotSceneDescription& robot : scene.robots) {
      RobotModel& model = models_.emplace_back(robot.robot, robot.base);
      std::vector<double> q = robot.q;
      if (q.empty())
        for (const RobotCoordinate& c : model.coordinates())
          q.push_back(std::clamp(0.0, c.lower, c.upper));
      model.update_kinematics(q.data());
    }
  }

  Vec3d origin(const HolderDescription& holder) const {
    if (holder.robot.empty()) return holder.path.at(0).position;
    const RobotModel& model =
        models_[static_cast<std::size_t>(index_of(scene_.robots, holder.robot))];
    return model.link_poses()[static_cast<std::size_t>(model.description().find_link(holder.link))]
        .position;
  }

 private:
  const Scene& scene_;
  std::vector<RobotModel> models_;
};

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

/// The held point and the extent of the body, or of the largest shape of it.
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

/// The mean of the held nodes and the extent of the body.
std::pair<Vec3d, double> held(const AttachmentDescription& attachment, const Scene& scene) {
  const SoftBodyDescription& body =
      scene.soft_bodies[static_cast<std::size_t>(index_of(scene.soft_bodies, attachment.body))];
  const std::vector<std::int32_t>& nodes = body.mesh.node_sets.at(attachment.node_set);
  Vec3d sum{};
  for (const std::int32_t node : nodes) sum += body.mesh.nodes[static_cast<std::size_t>(node)];
  return {body.pose.to_world((1 / static_cast<double>(nodes.size())) * sum), extent(body.mesh)};
}

}  // namespace

std::vector<DistantHolder> distant_holders(const Scene& scene) {
  std::vector<DistantHolder> distant;
  if (scene.mounts.empty() && scene.attachments.empty()) return distant;
  const HolderFrames frames(scene);
  const auto look = [&](const char* group, const auto& holder, double far) {
    const auto [point, extent_m] = held(holder, scene);
    const double distance_m = norm(point - frames.origin(holder));
    if (distance_m > far * extent_m)
      distant.push_back({group + holder.name, holder.body, distance_m, extent_m});
  };
  for (const MountDescription& mount : scene.mounts)
    look("mounts.", mount, mount.keeps_place ? kFar : kFarForAPull);
  for (const AttachmentDescription& attachment : scene.attachments)
    look("attachments.", attachment, kFar);
  return distant;
}

}  // namespace nodia
