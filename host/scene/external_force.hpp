/// External force on a body for a time: a disturbance.
#pragma once

#include <string>

#include "kernels/core/vec3.hpp"

namespace nodia {

/// On a soft body or a cable, the force is distributed by mass, so that the body gains velocity as
/// a whole. On a rigid body, a compound or a robot's link, it acts on the centre of mass.
struct ExternalForceDescription {
  std::string name;
  std::string body;         ///< name; not an obstacle
  std::string link;         ///< link of a robot that a joint moves; empty for other bodies
  Vec3d force_N{};          ///< total force, world axes
  double from_s = 0;        ///< >= 0
  double duration_s = 0.1;  ///< > 0

  /// Mean over a step [begin_s, end_s]: force_N times the share of the step in which the force
  /// acts. The impulse of all steps is force_N duration_s for any step length.
  Vec3d mean_force_N(double begin_s, double end_s) const;
};

}  // namespace nodia
