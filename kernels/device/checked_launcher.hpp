/// Launches in a stream, one after another.
#pragma once

#include "kernels/device/stream.hpp"

namespace nodia {

/// @tparam Launcher  launches one kernel in the order of a stream
template <class Launcher>
class CheckedLauncher {
 public:
  /// @param stream   the launcher's
  /// @param checked  waits for every kernel, so that a fault is told with its name
  CheckedLauncher(Launcher launcher, DeviceStream stream, bool checked)
      : launcher_(launcher), stream_(stream), checked_(checked) {}

  template <class Kernel>
  void launch(const char* name, const Kernel& kernel, int n_item) const {
    launcher_.launch(name, kernel, n_item);
    if (checked_) synchronize_device(name, stream_);
  }

 private:
  Launcher launcher_;
  DeviceStream stream_;
  bool checked_;
};

}  // namespace nodia
