/// The V-FPI loop on the device, seen from the host without CUDA types.
#pragma once

#include <memory>

#include "kernels/device/loop_launcher.hpp"
#include "kernels/device/stream.hpp"
#include "kernels/vfpi/library/library_gradient.hpp"
#include "kernels/vfpi/schedule.hpp"
#include "kernels/vfpi/times.hpp"

namespace nodia {

/// One schedule by either launcher: recorded once as CUDA graphs, so that the host takes no part
/// between the start and the last environment's stop, or launched by the host body by body.
template <class Precision>
class DeviceVfpi {
 public:
  DeviceVfpi();
  ~DeviceVfpi();

  /// Runs the loop of a batch in the stream and waits for its end. A graph is recorded where none
  /// of those that are kept is of these arguments.
  /// @param stream        not the null stream, and the same in every call
  /// @param batch, queue  in device memory
  /// @param n_chunk       chunks of all environments
  /// @param library       multiplies by A in the iterations, which are in phases, with a launcher
  ///                      other than the graph; null: the loop's kernels do
  /// @return what the device took, without the recording
  /// @throws RuntimeError naming what failed on the device
  VfpiTimes run(LoopLauncher launcher, DeviceStream stream, const ScheduleKey& key,
                const VfpiBatch<Precision>* batch, VfpiQueue* queue, int n_chunk,
                const LibraryProduct<Precision>* library = nullptr);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nodia
