/// Launcher of kernel loops that the host controls body by body: for tools that inspect launches,
/// and drivers that cannot record loops.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "kernels/device/device_memory.hpp"
#include "kernels/device/loop_launcher.hpp"
#include "kernels/launch/loop_condition.hpp"

namespace nodia {

/// Loop launcher of a schedule.
/// @tparam Launcher  launches a kernel in a stream; the item count is a number or in device memory
template <class Launcher>
class HostPacedLauncher {
 public:
  /// @param what      name of the loop in errors
  /// @param stream    stream of the launcher
  /// @param told      memory for a LoopCondition
  /// @param clock     clock(ns) writes the device's time in the stream
  /// @param loop      in device memory: start time of the loop [ns]
  HostPacedLauncher(const char* what, Launcher launcher, DeviceStream stream, PinnedMemory* told,
                    std::function<void(std::int64_t*)> clock, std::int64_t* loop)
      : what_(what),
        launcher_(launcher),
        stream_(stream),
        reports_(told),
        clock_(std::move(clock)),
        loop_(loop) {}

  template <class Kernel, class Count>
  void launch(const char* name, const Kernel& kernel, Count n_item) {
    launcher_.launch(name, kernel, n_item);
  }

  template <class Kernel, class Count, class Decision>
  void launch_then(const char* name, const Kernel& kernel, Count n_item, const char* decision_name,
                   const Decision& decision) requires requires(Launcher l) {
    l.launch_then(name, kernel, n_item, name, decision);
  }
  { launcher_.launch_then(name, kernel, n_item, decision_name, decision); }
  template <class Kernel, class Count, class Decision>
  void launch_last(const char* name, const Kernel& kernel, Count n_item, const char* decision_name,
                   const Decision& decision) requires requires(Launcher l) {
    l.launch_last(name, kernel, n_item, name, decision);
  }
  { launcher_.launch_last(name, kernel, n_item, decision_name, decision); }

  template <class Launches>
  void in_stream(const Launches& launches) {
    launches();
  }
  void begin_loop() { report_time(loop_); }
  void report_time(std::int64_t* ns) { clock_(ns); }

  /// Runs body() if *flag is not zero.
  template <class Body>
  void when(const std::int32_t* flag, const Body& body) {
    if (read(flag) != 0) body();
  }

  /// Runs a loop over body(); the first runs unconditionally. The host counts the bodies.
  template <class Body>
  void repeat_while(LoopCondition* condition, const Body& body) {
    LoopCondition counted;
    do {
      body();
      const LoopCondition after = read(condition);
      counted.running = after.running;
      counted.max_body = after.max_body;
    } while (another_body(&counted));
    copy_to_device(condition, &counted, sizeof(LoopCondition), stream_);
  }

 private:
  /// Reads a value from the device; waits.
  template <class T>
  T read(const T* there) {
    static_assert(sizeof(T) <= sizeof(LoopCondition));
    reports_->fetch(there, sizeof(T), stream_);
    synchronize_loop(what_, stream_);
    return *static_cast<const T*>(reports_->data());
  }

  const char* what_;
  Launcher launcher_;
  DeviceStream stream_;
  PinnedMemory* reports_;
  std::function<void(std::int64_t*)> clock_;
  std::int64_t* loop_;
};

}  // namespace nodia
