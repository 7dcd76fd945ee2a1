#include "scenarios/build/obstacle.hpp"

#include <fmt/format.h>

namespace nodia {

ObstacleDescription obstacle_of(const YamlNode& root, const ObstacleEntry& entry,
                                SceneFiles* files) {
  ObstacleDescription obstacle;
  obstacle.name = entry.name;
  obstacle.shape = named_errors(root, fmt::format("obstacles.{}.shape", entry.name),
                                [&] { return shape_of(entry.shape, files, &obstacle.grid); });
  obstacle.path = path_of(entry.position_m, entry.orientation_wxyz, entry.path, entry.ease);
  obstacle.friction = entry.friction;
  obstacle.restitution = entry.restitution;
  return obstacle;
}

}  // namespace nodia
