/// Terms of a contact's velocity.
#pragma once

#include <cstdint>

#include "kernels/core/mat3.hpp"

namespace nodia {

/// Term of one row in a contact: u = sum_e J_e y_row(e) + phi.
struct ContactPart {
  std::int32_t row = 0;
  Mat3d J;
};

}  // namespace nodia
