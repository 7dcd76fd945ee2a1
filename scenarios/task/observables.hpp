/// What can be observed in a scene, by name.
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
  joint_targets,  ///< of a robot's joint drives, in their order
  link_pose,
  wrench,  ///< of a sensor
  nodes,   ///< positions of a soft body's nodes
  node_velocities,
  poses,          ///< of a cable's links, from rear to front
  pose,           ///< of a rigid body: centre of mass and orientation
  centre,         ///< mean of a body's nodes or frames
  contact_force,  ///< on an object by everything else
  frame_pose      ///< target of an obstacle, or of a mount or attachment along a path
};

/// Something that can be observed. Values are in SI units, world axes; a pose is its position and
/// then its unit quaternion w, x, y, z with w >= 0; a wrench its force and then its torque.
struct Observable {
  std::string name;
  Quantity quantity = Quantity::time;
  std::vector<int> shape;   ///< e.g. [n_node, 3]
  std::string unit;         ///< of the values, e.g. "m"; of mixed ones with commas
  std::vector<double> low;  ///< finite; a value per last axis, or one for all
  std::vector<double> high;
  std::string owner;  ///< robot, obstacle or holder; empty of the others
  /// Number of the body (Objects); of a sensor its place in sensor_names(); of a link its place in
  /// Simulation::link_poses().
  int index = 0;
  ObjectId object;  ///< of contact_force

  int size() const;  ///< numbers in all
};

/// All of a scene, in one order.
std::vector<Observable> observables(const Scene& scene);

/// Those of the names, in their order. @param path  of the list
/// @throws ValueError for an unknown name, with the nearest or with all that its object has; for
/// one that several things have
std::vector<Observable> observables(const Scene& scene, const std::vector<std::string>& names,
                                    const std::string& path);

}  // namespace nodia
