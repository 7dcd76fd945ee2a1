/// Nodes of soft bodies in the memory of the device that takes the steps.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/node_quantity.hpp"
#include "kernels/core/vec3.hpp"
#include "kernels/device/device_buffer.hpp"

namespace nodia {

/// As many of every environment that is asked for, one after another.
struct WantedNodes {
  struct Part {
    int env = 0;
    std::int32_t first = 0;  ///< node of the environment
    /// Where the host has the values; null: they are at the end of the last step, which the solver
    /// was left with.
    const Vec3d* here = nullptr;
  };
  std::vector<Part> part;
  int n_node = 0;  ///< of a part
  NodeQuantity quantity = NodeQuantity::position;
};

/// A copy of them, as they were when they were asked for.
struct DeviceNodes {
  int device = 0;               ///< number of the CUDA device
  DeviceBuffer<double> values;  ///< [part][n_node][3]
};

}  // namespace nodia
