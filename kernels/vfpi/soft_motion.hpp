/// Motion of soft nodes, in the launcher's memory.
#pragma once

#include "kernels/core/node_motion.hpp"
#include "kernels/step/soft_rows.hpp"

namespace nodia {

template <class Memory>
NODIA_HD NodeMotion load_motion(const SoftRows& soft, std::int32_t i, Memory memory) {
  return {memory.template load_unpadded_node<double>(soft.x, i),
          memory.template load_unpadded_node<double>(soft.v, i)};
}

template <class Memory>
NODIA_HD void store_motion(const SoftRows& soft, std::int32_t i, const NodeMotion& node,
                           Memory memory) {
  for (int axis = 0; axis < 3; ++axis) {
    memory.write(soft.x + 3 * std::int64_t{i} + axis, node.x[axis]);
    memory.write(soft.v + 3 * std::int64_t{i} + axis, node.v[axis]);
  }
}

}  // namespace nodia
