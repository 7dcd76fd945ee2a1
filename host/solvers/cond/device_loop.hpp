/// The V-FPI loop on a device: all environments of a problem as one batch, all work in a stream of
/// its own.
#pragma once

#include <optional>

#include "host/solvers/cond/loop_problem.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/vfpi/device/device_vfpi.hpp"

namespace nodia {

template <class Precision>
class DeviceLoop {
 public:
  /// @param loop  of CondOptions
  /// @throws RuntimeError where there is no device, InputError for a number that none has
  DeviceLoop(int device, std::optional<LoopLauncher> loop);

  /// Solves every environment of a problem that was set, and brings answers and decisions back into
  /// its arrays.
  /// @return what the device took for all environments, without the copies
  /// @throws RuntimeError where the device fails; then nothing here is of use
  VfpiTimes run(LoopProblem<Precision>* problem);
  /// Brings what is kept between solves (LoopMemory) into the problem's arrays.
  void fetch_kept(LoopProblem<Precision>* problem) const;

 private:
  using Real = typename Precision::Real;

  void upload(LoopProblem<Precision>* problem);
  void download(LoopProblem<Precision>* problem);

  int device_;
  LoopLauncher launcher_;
  OwnedStream stream_;
  LoopArrays<Precision, Owned<DeviceBuffer>> arrays_;
  DeviceBuffer<double> block_value_;
  DeviceBuffer<VfpiEnvironment<Precision>> env_;
  DeviceBuffer<WorkItem> work_;
  DeviceBuffer<VfpiQueue> queue_;
  DeviceBuffer<VfpiBatch<Precision>> batch_;
  DeviceVfpi<Precision> vfpi_;
};

}  // namespace nodia
