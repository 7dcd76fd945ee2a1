/// The V-FPI loop on the device: all environments of a problem as one batch.
#pragma once

#include "host/solvers/cond/loop_problem.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/vfpi/device/vfpi_graph.hpp"

namespace nodia {

template <class Precision>
class DeviceLoop {
 public:
  /// Solves every environment of a problem that was set, and brings answers and decisions back into
  /// its arrays.
  /// @return what the device took for all environments, without the copies
  /// @throws RuntimeError where the device fails or there is none
  VfpiTimes run(LoopProblem<Precision>* problem);

 private:
  using Real = typename Precision::Real;

  void upload(LoopProblem<Precision>* problem);
  void download(LoopProblem<Precision>* problem);

  LoopArrays<Precision, Owned<DeviceBuffer>> arrays_;
  DeviceBuffer<double> block_value_;
  DeviceBuffer<VfpiEnvironment<Precision>> env_;
  DeviceBuffer<WorkItem> work_;
  DeviceBuffer<std::int32_t> active_;
  DeviceBuffer<VfpiQueue> queue_;
  DeviceBuffer<VfpiBatch<Precision>> batch_;
  VfpiGraph<Precision> graph_;
};

}  // namespace nodia
