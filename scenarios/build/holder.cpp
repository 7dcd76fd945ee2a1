#include "scenarios/build/holder.hpp"

#include <fmt/format.h>

namespace nodia {

void complete_holder(const YamlNode& root, const std::string& path,
                     const std::vector<RobotEntry>& robots, HolderEntry* holder) {
  const auto refuse_beside = [&](const char* key, const char* other) {
    const std::string where = path + "." + key;
    refuse_value(nearest_node(root, where), where, fmt::format("left out beside {}", other), "");
  };
  const bool turned = holder->orientation_wxyz.x != 0 || holder->orientation_wxyz.y != 0 ||
                      holder->orientation_wxyz.z != 0;
  const bool placed = squared_norm(holder->position_m) != 0;
  if (!holder->robot.empty()) {
    require_known(root, path + ".robot", holder->robot, names_of(robots), "the name of a robot");
    if (holder->track) refuse_beside("track", "robot");
    if (!holder->path.empty()) refuse_beside("path", "robot");
    if (placed) refuse_beside("position_m", "robot");
    if (turned) refuse_beside("orientation_wxyz", "robot");
  } else if (!holder->link.empty()) {
    const std::string where = path + ".link";
    refuse_value(nearest_node(root, where), where, "given together with robot", "");
  }
  if (holder->track) {
    if (!holder->path.empty()) refuse_beside("path", "track");
    if (placed) refuse_beside("position_m", "track");
  }
  complete_path(root, path, holder);
}

Path path_of(const YamlNode& root, const std::string& path, const HolderEntry& entry,
             const TimeOptions& time, SceneFiles* files) {
  if (!entry.robot.empty()) return {};
  if (!entry.track) return path_of(entry.position_m, entry.orientation_wxyz, entry.path);
  return path_of_track(root, path, *entry.track, entry.orientation_wxyz, time, files);
}

void require_link(const YamlNode& root, const std::string& path, const Scene& scene,
                  const HolderEntry& holder) {
  for (const RobotSceneDescription& robot : scene.robots) {
    if (robot.name != holder.robot) continue;
    require_known(root, path, holder.link, link_names(robot.robot), "a link of the robot");
  }
}

}  // namespace nodia
