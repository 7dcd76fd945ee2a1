/// A loop of kernels that the host launches body by body: for tools that look into launches, for
/// drivers that cannot record loops, and for work that a recording cannot hold.
#pragma once

#include <functional>
#include <string>

#include "kernels/device/device_memory.hpp"
#include "kernels/device/loop_launcher.hpp"
#include "kernels/launch/loop_condition.hpp"

namespace nodia {

/// A launcher, as a schedule wants it.
/// @tparam Launcher  launches one kernel, over a number of items or over those that are counted in
///                   the device's memory, in the order of a stream
template <class Launcher>
class HostPacedLauncher {
 public:
  /// @param what      the loop's name, in errors
  /// @param stream    the launcher's
  /// @param checked   waits for every kernel, so that a fault is told with its name
  /// @param end       room for the condition after a body
  /// @param at_loop   called when all before the loop is launched
  HostPacedLauncher(const char* what, Launcher launcher, DeviceStream stream, bool checked,
                    PinnedMemory* end, std::function<void()> at_loop)
      : what_(what),
        launcher_(launcher),
        stream_(stream),
        checked_(checked),
        end_(end),
        at_loop_(std::move(at_loop)) {}

  template <class Kernel, class Count>
  void launch(const char* name, const Kernel& kernel, Count n_item) {
    launcher_.launch(name, kernel, n_item);
    if (checked_) synchronize_device(name, stream_);
  }

  template <class Kernel, class Count, class Decision>
  void launch_then(const char* name, const Kernel& kernel, Count n_item, const char* decision_name,
                   const Decision& decision) requires requires(Launcher l) {
    l.launch_then(name, kernel, n_item, name, decision);
  }
  {
    launcher_.launch_then(name, kernel, n_item, decision_name, decision);
    if (checked_) synchronize_device(name, stream_);
  }
  template <class Kernel, class Count, class Decision>
  void launch_last(const char* name, const Kernel& kernel, Count n_item, const char* decision_name,
                   const Decision& decision) requires requires(Launcher l) {
    l.launch_last(name, kernel, n_item, name, decision);
  }
  {
    launcher_.launch_last(name, kernel, n_item, decision_name, decision);
    if (checked_) synchronize_device(name, stream_);
  }

  void begin_loop() { at_loop_(); }

  /// As in a recording, the first body is unconditional. The bodies are counted here.
  template <class Body>
  void repeat_while(LoopCondition* condition, const Body& body) {
    LoopCondition counted;
    do {
      body();
      end_->fetch(condition, sizeof(LoopCondition), stream_);
      synchronize_loop(what_, stream_);
      const LoopCondition after = *static_cast<const LoopCondition*>(end_->data());
      counted.running = after.running;
      counted.max_body = after.max_body;
    } while (another_body(&counted));
    copy_to_device(condition, &counted, sizeof(LoopCondition), stream_);
  }

 private:
  const char* what_;
  Launcher launcher_;
  DeviceStream stream_;
  bool checked_;
  PinnedMemory* end_;
  std::function<void()> at_loop_;
};

}  // namespace nodia
