#include "scenarios/task/idle_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "kernels/core/key.hpp"
#include "scenarios/task/action_map.hpp"
#include "scenarios/task/policy.hpp"

namespace nodia {
namespace {

/// A drive or a frame that an action moves.
struct Moved {
  std::string key;  ///< dotted key, such as `robots.arm.joint_drives.hinge`
  bool has_path = false;
};

std::vector<Moved> moved_drives(const TaskDescription& task, const ActionMap& map,
                                const RobotSceneDescription& robot) {
  std::vector<Moved> moved;
  const std::vector<std::string>& gripper = task.action.gripper;
  for (const JointDriveDescription& drive : robot.joint_drives) {
    const bool is_moved =
        std::count(gripper.begin(), gripper.end(), drive.joint) > 0 ||
        std::any_of(map.components().begin(), map.components().end(),
                    [&](const ActionComponent& c) { return c.name == drive.joint; });
    if (is_moved)
      moved.push_back({fmt::format("robots.{}.joint_drives.{}", robot.name, key_word(drive.joint)),
                       !drive.path.empty()});
  }
  for (const int k : map.pose_drives()) {
    const PoseDriveDescription& drive = robot.pose_drives[static_cast<std::size_t>(k)];
    moved.push_back({fmt::format("robots.{}.pose_drives.{}", robot.name, drive.name),
                     !drive.path.keys.empty()});
  }
  return moved;
}

/// Frames that actions of the space `picker` move. A path with one keyframe is a constant pose.
std::vector<Moved> moved_frames(const ActionMap& map, const Scene& scene) {
  std::vector<Moved> moved;
  const auto look = [&](const char* group, const auto& objects) {
    for (const auto& object : objects)
      if (std::count(map.frames().begin(), map.frames().end(), object.name) > 0)
        moved.push_back({fmt::format("{}.{}", group, object.name), object.path.keys.size() > 1});
  };
  look("obstacles", scene.obstacles);
  look("mounts", scene.mounts);
  look("attachments", scene.attachments);
  return moved;
}

}  // namespace

std::optional<std::string> idle_script(const TaskDescription& task, const Scene& scene) {
  if (parse_policy(task.policy).kind != PolicyKind::script) return std::nullopt;
  const ActionMap map(task, scene);
  const std::vector<Moved> moved =
      map.robot() < 0
          ? moved_frames(map, scene)
          : moved_drives(task, map, scene.robots[static_cast<std::size_t>(map.robot())]);
  const bool follows = std::any_of(moved.begin(), moved.end(), [](auto& m) { return m.has_path; });
  const bool lets_go =
      std::any_of(map.attachments().begin(), map.attachments().end(), [&](const std::string& name) {
        const auto attached = static_cast<std::size_t>(index_of(scene.attachments, name));
        return scene.attachments[attached].release_time_s >= 0;
      });
  if (follows || lets_go) return std::nullopt;
  return fmt::format(
      "task.policy: the script has no path to follow, and its actions move nothing (give {} a "
      "path, or name a class of Python or a log as task.policy)",
      moved.empty() ? "what an action moves" : moved.front().key);
}

}  // namespace nodia
