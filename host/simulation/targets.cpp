#include "host/simulation/targets.hpp"

#include <algorithm>
#include <iterator>

#include "host/simulation/body_system.hpp"
#include "kernels/core/rotation.hpp"

namespace nodia {
namespace {

Path::Key key_at(double time_s, const Pose& pose) {
  return {time_s, pose.position, quaternion_from_rotation(pose.rotation)};
}

Targets::Robot targets_of(const RobotSceneDescription& robot, const Robots& robots, int r) {
  Targets::Robot targets;
  for (const JointDriveDescription& drive : robot.joint_drives) {
    JointTarget& joint = targets.joints.emplace_back();
    joint.keys = drive.path;
    joint.profile = drive.profile;
    if (!joint.keys.empty()) continue;
    const int c = robots.model(r).find_coordinate(drive.joint);
    joint.keys.push_back({0, robots.start_q(r)[static_cast<std::size_t>(c)]});
  }
  for (const PoseDriveDescription& drive : robot.pose_drives) {
    Path& path = targets.poses.emplace_back(drive.path);
    if (!path.keys.empty()) continue;
    const int l = robots.model(r).description().find_link(drive.link);
    const Pose& link = robots.start_links(r)[static_cast<std::size_t>(l)];
    path.keys.push_back(
        key_at(0, {link.to_world(drive.frame.position), link.rotation * drive.frame.rotation}));
  }
  return targets;
}

}  // namespace

double JointTarget::at(double time_s) const {
  const auto next = std::upper_bound(keys.begin(), keys.end(), time_s,
                                     [](double t, const auto& key) { return t < key.time_s; });
  if (next == keys.begin()) return keys.front().target;
  if (next == keys.end()) return keys.back().target;
  const auto& a = *std::prev(next);
  const double r = (time_s - a.time_s) / (next->time_s - a.time_s);
  return a.target + path_share(profile, r).share * (next->target - a.target);
}

double JointTarget::rate(double time_s) const {
  const auto next = key_after(keys, time_s);
  if (next == keys.begin() || next == keys.end()) return 0;
  const auto& a = *std::prev(next);
  const double length = next->time_s - a.time_s;
  const double r = std::min(1.0, (time_s - a.time_s) / length);
  return path_share(profile, r).rate / length * (next->target - a.target);
}

Targets Targets::of(const Scene& scene, const BodySystem& system) {
  Targets all;
  for (std::size_t r = 0; r < scene.robots.size(); ++r)
    all.robots.push_back(targets_of(scene.robots[r], system.robots(), static_cast<int>(r)));
  for (const ObstacleDescription& obstacle : scene.obstacles)
    all.obstacles.push_back(obstacle.path);
  for (const MountDescription& mount : scene.mounts) all.mounts.push_back({mount.path, {}});
  for (const AttachmentDescription& attachment : scene.attachments)
    all.attachments.push_back({attachment.path, {}});
  return all;
}

void command(double target, double now_s, double reach_s, JointTarget* joint) {
  *joint = {{{now_s, joint->at(now_s)}, {now_s + reach_s, target}}, PathProfile::linear};
}

void command(const Pose& target, double now_s, double reach_s, Path* path) {
  *path = {{key_at(now_s, path->at(now_s)), key_at(now_s + reach_s, target)}, PathProfile::linear};
}

}  // namespace nodia
