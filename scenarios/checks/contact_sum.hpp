/// Sum of the contact forces on one object in a step.
#pragma once

#include <optional>

#include "host/simulation/simulation.hpp"

namespace nodia {

struct ContactSum {
  Vec3d force_N{};      ///< world frame
  double normal_N = 0;  ///< sum of the normal forces
};

/// Sums the contact forces of a step on an object. Contacts of the object with itself do not count.
/// @param by  the object that exerts the forces; absent: all other objects
ContactSum contact_sum(const StepView& view, const ObjectId& on,
                       const std::optional<ObjectId>& by = {});

}  // namespace nodia
