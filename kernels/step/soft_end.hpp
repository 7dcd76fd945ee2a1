/// Result of an environment's step beside the errors of its solution. launch_contact_totals
/// (kernels/step/contact_totals.hpp) writes the contact totals and flags, launch_end_of_step
/// (kernels/step/end_of_step.hpp) the energies.
#pragma once

#include <cstdint>

#include "kernels/core/vec3.hpp"

namespace nodia {

struct SoftEnd {
  // Written by launch_contact_totals.
  Vec3d obstacle_force_N{};  ///< on the bodies, world frame
  std::int32_t n_contact = 0, n_stick = 0, n_slip = 0;
  bool is_finite = false;  ///< whether x and v at the end are finite
  /// True if, in addition, no term of its report is not_a_number. Otherwise there are no energies.
  bool is_reached = false;

  // Written by launch_end_of_step. The potential energy is elastic_J + gravity_J.
  double kinetic_J = 0, elastic_J = 0, gravity_J = 0;
};

}  // namespace nodia
