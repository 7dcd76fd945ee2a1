/// Vertices of soft surfaces near soft surfaces, found on a device: all environments as one batch,
/// in a stream of its own.
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
  /// @param launcher  asked for; checked: faults are told with the names of their kernels
  DeviceSoftPairs(int device, std::optional<LoopLauncher> launcher);
  ~DeviceSoftPairs();
  DeviceSoftPairs(const DeviceSoftPairs&) = delete;
  DeviceSoftPairs& operator=(const DeviceSoftPairs&) = delete;

  /// What ProximitySearch::finish() takes, with the bits that it would find itself (where the
  /// device's atan2 has the host's). Where no environment has such searches, the device is not
  /// touched.
  /// @param env  searches that have begun; null: nothing is searched for
  /// @param out  replaced, [n_env]
  /// @throws InputError where vertices or triangles exceed 2^30; RuntimeError where the device
  ///         fails: then all is given back, and the next call begins anew
  void find(std::span<ProximitySearch* const> env, int n_thread,
            std::vector<std::vector<VertexHit>>* out);

 private:
  class Batch;

  int device_;
  LoopLauncher launcher_;
  std::unique_ptr<Batch> batch_;  ///< once there was something to search for
};

}  // namespace nodia
