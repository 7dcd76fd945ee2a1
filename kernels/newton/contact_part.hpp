/// What a contact's velocity is made of.
#pragma once

#include <cstdint>

#include "kernels/core/mat3.hpp"

namespace nodia {

/// One row's part in a contact: u = sum_e J_e y_row(e) + phi.
struct ContactPart {
  std::int32_t row = 0;
  Mat3d J;
};

}  // namespace nodia
