/// Kernels of kernels/launch/kernel.hpp without a device, and arrays for them.
#pragma once

#include <vector>

#include "kernels/core/vec3.hpp"
#include "kernels/launch/kernel.hpp"

namespace nodia::test {

/// Items in ascending order, lanes one by one.
struct OneLaneLauncher {
  template <class Kernel>
  void launch(const char*, const Kernel& kernel, int n_item) const {
    for (int item = 0; item < n_item; ++item) run_item<OneLane>(kernel, item);
  }
};

/// A vector of a node as kernels/launch/memory.hpp wants it.
struct alignas(32) PaddedNode {
  double value[kNodeStride] = {};
};

inline std::vector<PaddedNode> padded(const std::vector<Vec3d>& nodes) {
  std::vector<PaddedNode> out;
  out.reserve(nodes.size());
  for (const Vec3d& p : nodes) out.push_back({{p.x, p.y, p.z, 0}});
  return out;
}

inline std::vector<Vec3d> unpadded(const std::vector<PaddedNode>& nodes) {
  std::vector<Vec3d> out;
  out.reserve(nodes.size());
  for (const PaddedNode& p : nodes) out.push_back({p.value[0], p.value[1], p.value[2]});
  return out;
}

inline double* scalars(std::vector<PaddedNode>& nodes) {
  return reinterpret_cast<double*>(nodes.data());
}

}  // namespace nodia::test
