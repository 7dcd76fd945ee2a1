#include "host/simulation/target_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "host/simulation/find_target.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

void require_reach(double reach_s) {
  require(reach_s > 0 && std::isfinite(reach_s), "reach_s", reach_s, "> 0 and finite",
          "the time until the next command");
}

}  // namespace

TargetCommands::TargetCommands(const Scene& scene, const BodySystem& system)
    : scene_(scene), targets_(Targets::of(scene, system)) {}

void TargetCommands::set_joint_targets(const std::string& robot, const std::vector<double>& targets,
                                       double now_s, double reach_s) {
  std::vector<JointTarget>& joints = targets_.robots[find_robot(scene_, robot)].joints;
  if (targets.size() != joints.size())
    throw InputError(
        fmt::format("targets = [{}] (must be {} numbers, one for each joint drive of robot '{}')",
                    fmt::join(targets, ", "), joints.size(), robot));
  require_reach(reach_s);
  if (!std::all_of(targets.begin(), targets.end(), [](double a) { return std::isfinite(a); })) {
    fault_ = fmt::format("the targets of robot '{}' are not finite: [{}]", robot,
                         fmt::join(targets, ", "));
    return;
  }
  for (std::size_t k = 0; k < joints.size(); ++k) command(targets[k], now_s, reach_s, &joints[k]);
}

void TargetCommands::command_pose(const std::string& what, const Pose& target, double now_s,
                                  double reach_s, Path* path) {
  require_reach(reach_s);
  bool finite = is_finite(target.position);
  for (const Vec3d& row : target.rotation.row) finite = finite && is_finite(row);
  if (!finite)
    fault_ = fmt::format("the target pose of {} is not finite", what);
  else
    command(target, now_s, reach_s, path);
}

void TargetCommands::set_pose_target(const std::string& robot, int drive, const Pose& target,
                                     double now_s, double reach_s) {
  command_pose(fmt::format("pose drive {} of robot '{}'", drive, robot), target, now_s, reach_s,
               find_pose(scene_, robot, drive, &targets_));
}

void TargetCommands::set_frame_target(const std::string& name, const Pose& target, double now_s,
                                      double reach_s) {
  command_pose(fmt::format("'{}'", name), target, now_s, reach_s,
               find_frame(scene_, name, &targets_));
}

std::vector<double> TargetCommands::joint_targets(const std::string& robot, double now_s) const {
  std::vector<double> targets;
  for (const JointTarget& joint : targets_.robots[find_robot(scene_, robot)].joints)
    targets.push_back(joint.at(now_s));
  return targets;
}

Pose TargetCommands::pose_target(const std::string& robot, int drive, double now_s) const {
  return find_pose(scene_, robot, drive, targets_).at(now_s);
}

Pose TargetCommands::frame_target(const std::string& name, double now_s) const {
  return find_frame(scene_, name, targets_).at(now_s);
}

}  // namespace nodia
