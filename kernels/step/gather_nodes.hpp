/// Soft nodes at the end of a step whose loop has ended, without the padding of the loop's arrays.
#pragma once

#include "kernels/core/node_quantity.hpp"
#include "kernels/launch/element_kernel.hpp"
#include "kernels/vfpi/environment.hpp"
#include "kernels/vfpi/soft_motion.hpp"

namespace nodia {

/// Whose nodes come into a part of the result.
struct GatheredPart {
  std::int32_t env = 0;
  std::int32_t first = -1;  ///< node of the environment; -1: the part is written otherwise

  bool operator==(const GatheredPart& o) const { return env == o.env && first == o.first; }
};

/// As many nodes for every part, one lane a row of the part's environment; positions and velocities
/// are still those of the start of the step.
template <class Precision>
struct GatherNodes : EnvironmentKernel<GatherNodes<Precision>> {
  const VfpiEnvironment<Precision>* env = nullptr;
  const SoftRows* soft = nullptr;      ///< of the step
  const GatheredPart* part = nullptr;  ///< in the place of environments
  int n_node = 0;                      ///< of a part
  NodeQuantity quantity = NodeQuantity::position;
  double* out = nullptr;  ///< [part][n_node], three numbers each

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
    const Real* answer = loop.node[memory.read(&loop.control->answer)];
    const auto v_hat = cast<double>(load_state<Real>(loop, answer, row, memory));
    const NodeMotion end = end_of_step(own.step, load_motion(own, i, memory), v_hat);
    const Vec3d value = quantity == NodeQuantity::position ? end.x : end.v;
    double* const to = out + 3 * (std::int64_t{p} * n_node + k);
    for (int axis = 0; axis < 3; ++axis) memory.write(to + axis, value[axis]);
  }
};

}  // namespace nodia
