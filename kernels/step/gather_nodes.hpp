/// Gathers soft nodes at the end of a solved step, without the padding of the loop's arrays.
#pragma once

#include "kernels/core/node_quantity.hpp"
#include "kernels/launch/element_kernel.hpp"
#include "kernels/vfpi/environment.hpp"
#include "kernels/vfpi/soft_motion.hpp"

namespace nodia {

/// Nodes that one part of the result contains.
struct GatheredPart {
  std::int32_t env = 0;
  std::int32_t first = -1;  ///< first node in the environment; -1: this kernel skips the part

  bool operator==(const GatheredPart& o) const { return env == o.env && first == o.first; }
};

/// Gathers n_node nodes per part, one lane per row of the part's environment. Positions and
/// velocities are still those of the start of the step.
template <class Precision>
struct GatherNodes : EnvironmentKernel<GatherNodes<Precision>> {
  const VfpiEnvironment<Precision>* env = nullptr;
  const SoftRows* soft = nullptr;      ///< rows of the step
  const GatheredPart* part = nullptr;  ///< [n_part]; parts replace environments as items
  int n_node = 0;                      ///< nodes per part
  NodeQuantity quantity = NodeQuantity::position;
  double* out = nullptr;  ///< [part][n_node], three numbers per node

  template <class Memory>
  NODIA_HD void visit(int p, int row, Memory memory) const {
    using Real = typename Precision::Real;
    const GatheredPart wanted = part[p];
    if (wanted.first < 0) return;
    const SoftRows& own = soft[wanted.env];
    if (row >= own.n_row) return;
    const std::int32_t i = own.node[row], k = i - wanted.first;
    if (i < 0 || k < 0 || k >= n_node) return;
    const VfpiEnvironment<Precision>& loop = env[wanted.env];
    const Real* solution = loop.node[memory.read(&loop.control->solution)];
    const auto v_hat = cast<double>(load_state<Real>(loop, solution, row, memory));
    const NodeMotion end = end_of_step(own.step, load_motion(own, i, memory), v_hat);
    const Vec3d value = quantity == NodeQuantity::position ? end.x : end.v;
    double* const to = out + 3 * (std::int64_t{p} * n_node + k);
    for (int axis = 0; axis < 3; ++axis) memory.write(to + axis, value[axis]);
  }
};

}  // namespace nodia
