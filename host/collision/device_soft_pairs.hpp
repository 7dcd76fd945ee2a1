/// Search of vertices near soft surfaces on a device: all environments in one batch and stream.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "host/collision/proximity.hpp"
#include "kernels/device/loop_launcher.hpp"

namespace nodia {

class DeviceSoftPairs {
 public:
  /// @param launcher  requested launcher; checked: errors name the kernels
  DeviceSoftPairs(int device, std::optional<LoopLauncher> launcher);
  ~DeviceSoftPairs();
  DeviceSoftPairs(const DeviceSoftPairs&) = delete;
  DeviceSoftPairs& operator=(const DeviceSoftPairs&) = delete;

  /// Finds the hits for ProximitySearch::finish(), with the bits of the host's search if the
  /// device's atan2 agrees with the host's. Without such searches, the device is not used.
  /// @param env  searches after begin(); null: skipped
  /// @param out  replaced, [n_env]
  /// @throws InputError if vertices or triangles exceed 2^30; RuntimeError if the device fails:
  ///   then all memory is freed, and the next call starts again
  void find(std::span<ProximitySearch* const> env, int n_thread,
            std::vector<std::vector<VertexHit>>* out);

 private:
  class Batch;

  int device_;
  LoopLauncher launcher_;
  std::unique_ptr<Batch> batch_;  ///< null before the first search
};

}  // namespace nodia
