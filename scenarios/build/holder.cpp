#include "scenarios/build/holder.hpp"

#include <fmt/format.h>

namespace nodia {

void complete_holder(const YamlNode& root, const std::string& path, HolderEntry* holder) {
  const auto refuse_beside = [&](const char* key, const char* other) {
    const std::string where = path + "." + key;
    refuse_value(nearest_node(root, where), where, fmt::format("left out beside {}", other), "");
  };
  const bool turned = holder->orientation_wxyz.x != 0 || holder->orientation_wxyz.y != 0 ||
                      holder->orientation_wxyz.z != 0;
  const bool placed = squared_norm(holder->position_m) != 0;
  if (!holder->robot.empty()) {
    if (holder->track) refuse_beside("track", "robot");
    if (placed) refuse_beside("position_m", "robot");
    if (turned) refuse_beside("orientation_wxyz", "robot");
  }
  if (holder->track) {
    if (!holder->path.empty()) refuse_beside("path", "track");
    if (placed) refuse_beside("position_m", "track");
  }
  complete_keys(holder->position_m, holder->orientation_wxyz, &holder->path);
}

HolderDescription holder_of(const YamlNode& root, const std::string& path, const HolderEntry& entry,
                            const TimeOptions& time, SceneFiles* files) {
  HolderDescription holder;
  holder.robot = entry.robot;
  holder.link = entry.link;
  if (entry.track)
    holder.path = path_of_track(root, path, *entry.track, entry.orientation_wxyz, time, files);
  else if (entry.robot.empty() || !entry.path.empty())
    holder.path = path_of(entry.position_m, entry.orientation_wxyz, entry.path, entry.ease);
  if (entry.release_time_s) holder.release_time_s = *entry.release_time_s;
  return holder;
}

}  // namespace nodia
