/// A force on a body for a time: a disturbance.
#pragma once

#include <string>

#include "kernels/core/vec3.hpp"

namespace nodia {

/// Of a soft body or a cable every piece takes its share by mass, so that the body gains velocity
/// as a whole; of a rigid body, a compound or a robot's link it acts on the centre of mass.
struct ExternalForceDescription {
  std::string name;
  std::string body;         ///< not an obstacle
  std::string link;         ///< of a robot, one that a joint moves; empty of other bodies
  Vec3d force_N{};          ///< in all, world axes
  double from_s = 0;        ///< >= 0
  double duration_s = 0.1;  ///< > 0

  /// Mean over a step, [begin_s, end_s]: the whole force where the external force lasts all of it,
  /// otherwise its share, so that the impulse of all steps is force_N duration_s whatever their
  /// length.
  Vec3d mean_force_N(double begin_s, double end_s) const;
};

}  // namespace nodia
