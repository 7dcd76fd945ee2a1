/// Backend of kernels/device/device_backend.cuh that runs kernels in host memory.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/launch/sort_pairs.hpp"
#include "tests/devices/checked_host/capture.hpp"
#include "tests/devices/checked_host/launch.hpp"
#include "tests/devices/checked_host/recorder.hpp"

namespace nodia {

using KernelLauncher = CheckedHostLauncher;
using Recording = CheckedHostRecording;

inline KernelLauncher launcher_in(DeviceQueue queue, int /*n_block*/ = 1) {
  return {queue};
}

inline int most_blocks(int n_item, const char* /*what*/) {
  return n_item;
}

inline void write_time(std::int64_t* ns, DeviceStream stream) {
  report_time_on_checked_host(ns, stream);
}

template <class Launches>
Recording record(const char* /*what*/, DeviceStream stream, int n_block, std::int64_t* loop,
                 const Launches& launches) {
  CheckedHostRecorder recorder(stream, n_block, loop);
  launches(recorder);
  return recorder.take();
}

inline void replay(const Recording& recording, DeviceStream /*stream*/, const char* what) {
  recording.launch(what);
}

/// Sorts and tables; each is one launch.
class DeviceArrays {
 public:
  /// @param what  names the work in errors
  DeviceArrays(const char* what, DeviceStream stream) : stream_(stream) {
    require_no_capture(what, stream);
  }

  template <class T, class F>
  void tabulate(T* out, int n, const F& f) const {
    launch("tabulate", [=] {
      for (int k = 0; k < n; ++k) out[k] = f(k);
    });
  }
  void stable_sort_by_key(std::uint64_t* key, int n, std::int32_t* value) const {
    launch("stable_sort_by_key", [=] {
      const std::vector<std::uint64_t> keys(key, key + n);
      const std::vector<std::int32_t> values(value, value + n);
      sort_pairs(keys.data(), values.data(), {n, 64}, key, value);
    });
  }

 private:
  template <class Work>
  void launch(const char* name, Work work) const {
    launch_on_checked_host(stream_, name, name, [=] {
      if (is_faulty_on_checked_host(name)) return;
      const CheckedHostOwnTime time;
      work();
    });
  }

  DeviceStream stream_;
};

}  // namespace nodia
