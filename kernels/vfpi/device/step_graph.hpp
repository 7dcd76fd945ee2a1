/// Step on the device, without CUDA types.
#pragma once

#include <memory>

#include "kernels/device/loop_launcher.hpp"
#include "kernels/device/stream.hpp"
#include "kernels/vfpi/device/step_parts.hpp"

namespace nodia {

/// Runs one schedule with either launcher: as a recorded CUDA graph without host participation, or
/// launched body by body by the host.
template <class Precision>
class StepGraph {
 public:
  StepGraph();
  ~StepGraph();

  /// Launches a step in the stream. The graph is asynchronous. A step without a stored graph of the
  /// same arguments is recorded. If the step does not generate contacts, the graph holds only the
  /// loop and its end, because the contact lists change their lengths.
  /// @param stream   not the null stream; the same in every call
  /// @param n_chunk  chunks of all environments
  /// @throws RuntimeError with the failed device operation
  void launch(LoopLauncher launcher, DeviceStream stream, const StepParts<Precision>& step,
              int n_chunk);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nodia
