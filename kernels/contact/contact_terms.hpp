/// What a contact between two near points takes from the scene: gap, restitution, penetration
/// recovery and friction, as plain data.
#pragma once

#include "kernels/core/vec3.hpp"

namespace nodia {

/// What is the same for all contacts of a step.
struct ContactTimes {
  double step_s = 0, theta = 1;
  double rest_speed_m_s = 0;        ///< no restitution for slower approaches
  double penetration_recovery = 0;  ///< share of a penetration removed per step [-]
  double recovery_speed_m_s = 0;    ///< cap of the recovery

  bool operator==(const ContactTimes&) const = default;
};

/// What is the same for all contacts of two surfaces.
struct ContactRule {
  double mu1 = 0, mu2 = 0;  ///< friction along t1, t2 of the contact frame [-]
  Vec3d axis{};             ///< t1 is along it where it is not along the normal; zero: none
  double restitution = 0;   ///< [-]
};

}  // namespace nodia
