/// Contact forces of a step on one object.
#pragma once

#include <optional>

#include "host/simulation/simulation.hpp"

namespace nodia {

struct ContactSum {
  Vec3d force_N{};      ///< world frame
  double normal_N = 0;  ///< sum of the normal forces
};

/// @param by  absent: everything else
ContactSum contact_sum(const StepView& view, const ObjectId& on,
                       const std::optional<ObjectId>& by = {});

}  // namespace nodia
