/// Backend of kernels/device/device_backend.cuh that runs kernels in host memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

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
      std::vector<std::pair<std::uint64_t, std::int32_t>> pairs;
      for (int k = 0; k < n; ++k) pairs.emplace_back(key[k], value[k]);
      std::stable_sort(pairs.begin(), pairs.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      for (int k = 0; k < n; ++k) std::tie(key[k], value[k]) = pairs[static_cast<std::size_t>(k)];
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
