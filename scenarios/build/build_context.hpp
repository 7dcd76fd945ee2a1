/// Data that the builders of a scene's objects share.
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
  const YamlNode& root;     ///< tree that the entries were read from, for messages
  const TimeOptions& time;  ///< a track has one row per time step
  SceneFiles* files;        ///< in and out: files that were read before
  /// Centre of mass in the frame of the scenario file [m], by the name of the body. Has the bodies
  /// whose frame moves to the centre of mass.
  std::map<std::string, Vec3d> origins = {};
  std::vector<RobotModel> robots = {};  ///< in their poses at t = 0, in the order of Scene::robots
};

}  // namespace nodia
