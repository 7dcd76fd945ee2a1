/// What launches find of an environment's step beside its answer's errors: launch_contact_totals
/// (kernels/step/contact_totals.hpp) its contacts and whether it has an end,
/// launch_end_of_step (kernels/step/end_of_step.hpp) the energies there.
#pragma once

#include <cstdint>

#include "kernels/core/vec3.hpp"

namespace nodia {

struct SoftEnd {
  // From launch_contact_totals.
  Vec3d obstacle_force_N{};  ///< on the bodies, world frame
  std::int32_t n_contact = 0, n_stick = 0, n_slip = 0;
  bool is_finite = false;  ///< x and v at the end
  /// They are, and the answer is one: nothing that its report is made of says not_a_number. Others
  /// have no energies.
  bool is_reached = false;

  // From launch_end_of_step, at the end. The potential energy is elastic_J + gravity_J.
  double kinetic_J = 0, elastic_J = 0, gravity_J = 0;
};

}  // namespace nodia
