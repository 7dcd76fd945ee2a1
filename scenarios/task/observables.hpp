/// Observables of a scene, by name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/scene/objects.hpp"

namespace nodia {

enum class Quantity : std::uint8_t {
  time,
  joints,  ///< coordinates of a robot
  joint_velocities,
  effort,         ///< efforts of a robot's actuators
  joint_targets,  ///< targets of a robot's joint drives, in their order
  link_pose,
  wrench,  ///< force and torque of a sensor
  nodes,   ///< positions of a soft body's nodes
  node_velocities,
  poses,          ///< poses of a cable's links, from rear to front
  pose,           ///< centre of mass and orientation of a rigid body
  centre,         ///< mean position of a body's nodes or frames
  contact_force,  ///< sum of the contact forces on an object
  frame_pose      ///< target pose of an obstacle, or of a mount or attachment along a path
};

/// A quantity that can be observed. Values are in SI units and world axes. A pose is a position
/// followed by a unit quaternion w, x, y, z with w >= 0. A wrench is a force followed by a torque.
struct Observable {
  std::string name;
  Quantity quantity = Quantity::time;
  std::vector<int> shape;   ///< e.g. [n_node, 3]
  std::string unit;         ///< e.g. "m"; several units are separated by commas
  std::vector<double> low;  ///< finite; one value per index of the last axis, or one for all
  std::vector<double> high;
  std::string owner;  ///< robot, obstacle, mount or attachment of joint_targets and frame_pose
  /// Number of the body (Objects). For a sensor the index in sensor_names(), for a link the index
  /// in Simulation::link_poses().
  int index = 0;
  ObjectId object;  ///< object of contact_force

  int size() const;  ///< number of values
};

/// All observables of a scene, in a fixed order.
std::vector<Observable> observables(const Scene& scene);

/// Observables with these names, in the order of the names.
/// @param path  dotted path of the list, for messages
/// @throws ValueError for an unknown name, with a hint; for a repeated name; for a name that
/// several
///         observables have
std::vector<Observable> observables(const Scene& scene, const std::vector<std::string>& names,
                                    const std::string& path);

}  // namespace nodia
