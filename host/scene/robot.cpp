#include "host/scene/robot.hpp"

#include <algorithm>

#include "fem/robot/robot_model.hpp"

namespace nodia {

std::vector<double> start_coordinates(const RobotSceneDescription& robot, const RobotModel& model) {
  std::vector<double> q = robot.q;
  if (q.empty())
    for (const RobotCoordinate& c : model.coordinates())
      q.push_back(std::clamp(0.0, c.lower, std::max(c.lower, c.upper)));
  return q;
}

}  // namespace nodia
