/// Nodes of soft bodies in device memory.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/node_quantity.hpp"
#include "kernels/core/vec3.hpp"
#include "kernels/device/device_buffer.hpp"

namespace nodia {

/// Request for nodes: equal numbers of nodes of several environments.
struct WantedNodes {
  struct Part {
    int env = 0;
    std::int32_t first = 0;  ///< first node in the environment
    /// Values on the host; null: the end of the last step, which is on the device.
    const Vec3d* on_host = nullptr;
  };
  std::vector<Part> part;
  int n_node = 0;  ///< per part
  NodeQuantity quantity = NodeQuantity::position;
};

/// Copy of the nodes at the time of the request.
struct DeviceNodes {
  int device = 0;               ///< number of the CUDA device
  DeviceBuffer<double> values;  ///< [part][n_node][3]
};

}  // namespace nodia
