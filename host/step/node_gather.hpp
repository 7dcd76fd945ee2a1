/// Gathers wanted nodes of soft bodies in device memory.
#pragma once

#include <vector>

#include "host/problem/device_nodes.hpp"
#include "host/step/device_step.hpp"
#include "kernels/step/gather_nodes.hpp"

namespace nodia {

template <class Precision>
class NodeGather {
 public:
  using Environment = VfpiEnvironment<Precision>;

  /// Writes the wanted nodes. Uploads the parts whose values on the host differ from the device's
  /// or that the device lacks, one copy for consecutive parts; a kernel writes the others.
  /// @param step     states of the soft bodies
  /// @param env      environments in device memory
  /// @param on_host  the same environments on the host
  /// @param values   [part][n_node][3] in device memory, of this size
  void run(const WantedNodes& wanted, const DeviceStep<Precision>& step, const Environment* env,
           const std::vector<Environment>& on_host, DeviceQueue queue, double* values);

 private:
  DeviceBuffer<GatheredPart> part_;
  std::vector<GatheredPart> uploaded_;  ///< last upload of part_
};

}  // namespace nodia
