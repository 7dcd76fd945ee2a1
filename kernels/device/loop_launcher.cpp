#include "kernels/device/loop_launcher.hpp"

#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"

namespace nodia {

ResolvedLoopLauncher resolve(std::optional<LoopLauncher> asked) {
  std::string reason;
  if (asked && *asked != LoopLauncher::graph) return {*asked, ""};
  if (can_record_loops(&reason)) return {LoopLauncher::graph, ""};
  if (asked) throw RuntimeError("loop graph: " + reason);
  return {LoopLauncher::launches, reason};
}

void synchronize_loop(const std::string& what, DeviceStream stream) {
  try {
    synchronize_device(what, stream);
  } catch (const RuntimeError& error) {
    throw RuntimeError(std::string(error.what()) +
                       "; run again with --loop checked to learn in which kernel");
  }
}

}  // namespace nodia
