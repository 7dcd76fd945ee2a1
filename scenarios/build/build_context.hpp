/// What the objects of a scene are made with.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fem/robot/robot_model.hpp"
#include "host/scene/scene.hpp"
#include "scenarios/build/scene_files.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

struct BuildContext {
  const YamlNode& root;     ///< that the entries were read from, for messages
  const TimeOptions& time;  ///< a row of a track is a step
  SceneFiles* files;
  /// Of bodies whose frame moves to the centre of mass: that centre in the frame they are given in
  /// [m], by name.
  std::map<std::string, Vec3d> origins = {};
  std::vector<RobotModel> robots = {};  ///< as they stand at t = 0, in the order of the scene's
};

}  // namespace nodia
