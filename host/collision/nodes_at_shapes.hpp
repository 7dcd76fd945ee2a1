/// Nodes of soft bodies near prescribed shapes: vectorised search, overlaps and tunnelling.
/// Internal header of proximity.hpp.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "host/collision/detection.hpp"
#include "host/collision/proximity_bodies.hpp"

namespace nodia {

class NodesAtShapes {
 public:
  using SurfaceNumbers = std::pair<std::int32_t, std::int32_t>;

  /// @param candidates  pairs of soft surface and prescribed shape, ascending
  void set(const std::vector<Body>& bodies, std::vector<SurfaceNumbers> candidates);

  /// Appends the near pairs, ordered by (node, shape).
  void find(const std::vector<Body>& bodies, const ProximityState& state, DetectionReach reach,
            int n_thread, std::vector<SurfacePair>* out);
  /// Appends the pairs of known near nodes, in their order.
  void take(const std::vector<Body>& bodies, const ProximityState& state, DetectionReach reach,
            int n_thread, std::span<const NodeAtObstacle> near, std::vector<SurfacePair>* out);
  /// Table of the surfaces that may collide, for `n_surface` surfaces.
  NodesAndShapes described(std::size_t n_surface) const;
  /// Poses of the shapes at start and end of a step, ordered as NodesAndShapes::shape.
  void poses(const std::vector<Body>& bodies, const ProximityState& state, double step_s,
             std::vector<ObstaclePose>* out) const;
  /// Appends the deepest node of every overlapping candidate.
  void find_overlaps(const std::vector<Body>& bodies, const ProximityState& state,
                     std::vector<SurfaceOverlap>* out) const;
  /// Appends the deepest node of every candidate that tunnelled since find().
  /// @param extent  smallest_extent() of the bodies [m]
  void find_tunnelling(const ProximityState& end, const std::vector<double>& extent,
                       std::vector<MissedTunnelling>* out) const;

 private:
  struct SoftNodes {
    std::int32_t surface = 0, begin = 0, end = 0;
  };
  SoftNodes nodes_of(const std::vector<Body>& bodies, std::int32_t surface) const;
  void begin(const std::vector<Body>& bodies, const ProximityState& state, DetectionReach reach,
             int n_thread);
  void add_pairs(const std::vector<Body>& bodies, const ProximityState& state,
                 std::vector<SurfacePair>* out) const;
  bool is_in_a_pair(std::int32_t node, std::int32_t shape) const;

  std::vector<SurfaceNumbers> candidates_;
  std::vector<SoftNodes> soft_;                ///< of the candidates, in their order
  std::vector<std::int32_t> shape_;            ///< surfaces of the prescribed shapes, ascending
  std::vector<std::int32_t> place_;            ///< index of a candidate's shape in shape_
  std::vector<std::int32_t> surface_of_node_;  ///< -1: none
  std::vector<std::uint8_t> may_collide_;      ///< [surface][shape index]: 1 if they may collide

  NodeDetection detection_;
  std::vector<NodeHit> hits_;  ///< hits of the last find() or take()
  double margin_m_ = 0;
  int n_thread_ = 1;
  std::vector<ObstaclePose> pose_;  ///< shapes in the last find(), as margin and threads
  std::vector<Vec3d> x_;            ///< node positions in the last find()
};

}  // namespace nodia
