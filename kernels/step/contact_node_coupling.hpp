/// Penalty coupling between a contact point inside a face or edge and its contact node.
#pragma once

#include "kernels/core/vec3.hpp"

namespace nodia {

/// Options of the coupling. The coupling stiffness is called kv in Lee et al. (2023).
struct ContactNodeCoupling {
  double relative_gain = 10;  ///< kv times the mean diagonal of the contact's Delassus block [-]
  double gain_N_s_m = 0;      ///< the same kv for all contact nodes [N s/m]; 0: from relative_gain
  bool cancels_bias = true;   ///< removes the error lambda/kv that a finite stiffness causes

  /// @param delassus  diagonal of the contact's Delassus block, three axes [m/(N s)]
  /// @return          kv > 0 [N s/m]; 1 if the block is not finite
  NODIA_HD double gain(Vec3d delassus) const {
    const double kv =
        gain_N_s_m > 0 ? gain_N_s_m : 3 * relative_gain / (delassus.x + delassus.y + delassus.z);
    return kv > 0 ? kv : 1;
  }
  bool operator==(const ContactNodeCoupling&) const = default;
};

}  // namespace nodia
