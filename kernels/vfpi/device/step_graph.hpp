/// A step on the device, seen from the host without CUDA types.
#pragma once

#include <memory>

#include "kernels/device/loop_launcher.hpp"
#include "kernels/device/stream.hpp"
#include "kernels/vfpi/device/step_parts.hpp"

namespace nodia {

/// One schedule by either launcher: recorded once as a CUDA graph, so that the host takes no part
/// between its start and its record, or launched by the host body by body.
template <class Precision>
class StepGraph {
 public:
  StepGraph();
  ~StepGraph();

  /// Launches a step in the stream; the graph returns without waiting. It is recorded where none of
  /// those that are kept is of these arguments; of a step that does not make its contacts, whose
  /// lists have other lengths every time, it holds the loop and what follows.
  /// @param stream   not the null stream, and the same in every call
  /// @param n_chunk  chunks of all environments
  /// @throws RuntimeError naming what failed on the device
  void launch(LoopLauncher launcher, DeviceStream stream, const StepParts<Precision>& step,
              int n_chunk);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nodia
