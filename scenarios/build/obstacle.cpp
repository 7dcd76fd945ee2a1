#include "scenarios/build/obstacle.hpp"

#include <fmt/format.h>

namespace nodia {

ObstacleDescription description_of(const ObstacleEntry& entry, BuildContext* context) {
  ObstacleDescription obstacle;
  obstacle.name = entry.name;
  obstacle.shape = named_errors(context->root, fmt::format("obstacles.{}.shape", entry.name), [&] {
    return shape_of(entry.shape, context->files, &obstacle.grid);
  });
  obstacle.path = path_of(entry.position_m, entry.orientation_wxyz, entry.path, entry.ease);
  obstacle.friction = entry.friction;
  obstacle.restitution = entry.restitution;
  return obstacle;
}

}  // namespace nodia
