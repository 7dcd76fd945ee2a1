/// The V-FPI loop on the device, seen from the host without CUDA types.
#pragma once

#include <memory>

#include "kernels/vfpi/schedule.hpp"
#include "kernels/vfpi/times.hpp"

namespace nodia {

/// The schedule of a batch, recorded once as CUDA graphs and run for every solve: the host takes no
/// part between the start and the last environment's stop.
template <class Precision>
class VfpiGraph {
 public:
  VfpiGraph();
  ~VfpiGraph();

  /// Runs the loop and waits for its end. Records anew where an argument differs from the last
  /// call's.
  /// @param batch, queue  in device memory
  /// @param n_chunk       chunks of all environments
  /// @return what the device took, without the recording
  /// @throws RuntimeError naming what failed on the device
  VfpiTimes run(const ScheduleKey& key, const VfpiBatch<Precision>* batch, VfpiQueue* queue,
                int n_chunk);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nodia
