/// Detection of nodes near obstacles on the device; host code without CUDA types.
#pragma once

#include "kernels/collision/detect_nodes.hpp"
#include "kernels/device/select_flagged.hpp"

namespace nodia {

class DeviceDetection {
 public:
  /// Copies the shapes' distance grids to the device.
  /// @param capacity  pairs of a step, at most; negative: as many as there can be
  /// @throws RuntimeError without a device; InputError where nodes times obstacles exceed 2^31 - 1
  DeviceDetection(const std::vector<Shape>& shapes, int n_node, int capacity = -1);

  /// Finds the pairs of a step, ordered by (node, obstacle), as host/collision/detection.hpp does;
  /// returns without waiting.
  /// @param now, next  poses of the obstacles at the start and at the end of the step (host)
  /// @param x, v, v_free  positions [m] and motions [m/s], device memory, nodes as in
  ///                      kernels/launch/memory.hpp
  void detect(const std::vector<Pose>& now, const std::vector<Pose>& next, const double* x,
              const double* v, const double* v_free, DetectionReach reach,
              DeviceStream stream = nullptr);

  /// Device memory: the pairs, and their number, which may be more than the capacity.
  const NodeHit* pairs() const { return pair_.data(); }
  const std::int32_t* n_pair() const { return n_pair_.data(); }
  int capacity() const { return static_cast<int>(pair_.size()); }

  /// Waits for the last detection (its stream must live) and copies its pairs.
  /// @throws RuntimeError where they were more than the capacity
  std::vector<NodeHit> download() const;

 private:
  void launch(const DetectionView& view, DeviceStream stream);

  std::vector<DeviceBuffer<double>> grid_;  ///< per shape; empty where it is no grid
  std::vector<ObstaclePose> pose_;          ///< shapes with their grids in device memory
  int n_node_ = 0;
  DeviceStream stream_ = nullptr;  ///< of the last detection
  DeviceBuffer<ObstaclePose> obstacle_;
  DeviceBuffer<PreparedObstacle> prepared_;
  DeviceBuffer<double> largest_squared_speed_;
  DeviceBuffer<std::uint8_t> flag_;
  DeviceBuffer<std::int32_t> slot_, n_pair_;
  DeviceBuffer<NodeHit> pair_;
  DeviceSelectFlagged select_;
};

}  // namespace nodia
