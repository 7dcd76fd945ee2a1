/// Repairs what robot files of other programs often get wrong, so that RobotDescription::validate()
/// accepts it.
///
/// * A link of mass 0 that is fixed to another link, or that is the root, loses its inertia: it is
/// part of the link that
///   it is fixed to, or of the world.
/// * A link with mass whose moments of inertia are all zero gets those of its collision shapes at
/// that mass. Without
///   shapes it gets those of a ball with the density of water.
/// * Moments of inertia that no body has become the nearest ones that a body has
/// (moments_of_inertia.hpp).
///
/// A link of mass 0 that moves by a joint of its own is left as it is: no repair knows its mass.
#pragma once

#include <string>

#include "fem/robot/robot_description.hpp"

namespace nodia {

/// Each repair adds a warning `FILE: link 'NAME': ...` to the robot's warnings.
/// @param file  name of the file in warnings
void repair_robot(const std::string& file, RobotDescription* robot);

}  // namespace nodia
