/// Choice of the loop launcher, and waiting for its work.
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

namespace {

template <class Wait>
void wait_for_kernels(const Wait& wait) {
  try {
    wait();
  } catch (const RuntimeError& error) {
    throw RuntimeError(std::string(error.what()) +
                       "; run again with --loop checked to learn in which kernel");
  }
}

}  // namespace

void synchronize_loop(const std::string& what, DeviceStream stream) {
  wait_for_kernels([&] { synchronize_device(what, stream); });
}

void wait_in_loop(const std::string& what, const OwnedEvent& moment) {
  wait_for_kernels([&] { moment.wait(what); });
}

}  // namespace nodia
