/// Nodes of soft bodies at prescribed shapes: the fast part of the search, and what is measured of
/// the same nodes at the end of a step; inside of proximity.hpp.
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

  /// @param candidates  soft surface and prescribed shape, ascending
  void set(const std::vector<Body>& bodies, std::vector<SurfaceNumbers> candidates);

  /// Appends the near pairs, ordered by (node, shape).
  void find(const std::vector<Body>& bodies, const ProximityState& state, DetectionReach reach,
            int n_thread, std::vector<SurfacePair>* out);
  /// The same where it is known who is near, in its order.
  void take(const std::vector<Body>& bodies, const ProximityState& state, DetectionReach reach,
            int n_thread, std::span<const NodeAtObstacle> near, std::vector<SurfacePair>* out);
  /// Who meets whom, of as many surfaces.
  NodesAndShapes described(std::size_t n_surface) const;
  /// The shapes at the start and at the end of a step, in the order of NodesAndShapes::shape.
  void poses(const std::vector<Body>& bodies, const ProximityState& state, double step_s,
             std::vector<ObstaclePose>* out) const;
  /// Appends the deepest node of every candidate that overlaps.
  void find_overlaps(const std::vector<Body>& bodies, const ProximityState& state,
                     std::vector<SurfaceOverlap>* out) const;
  /// Appends the deepest node of every candidate that came through since find().
  /// @param extent  smallest_extent() of the bodies
  void find_passages(const ProximityState& end, const std::vector<double>& extent,
                     std::vector<MissedPassage>* out) const;

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
  std::vector<SoftNodes> soft_;                ///< of the candidates, by candidate
  std::vector<std::int32_t> shape_;            ///< surfaces of the prescribed shapes, ascending
  std::vector<std::int32_t> place_;            ///< of a candidate's shape among them
  std::vector<std::int32_t> surface_of_node_;  ///< -1: of none
  std::vector<std::uint8_t> meets_;            ///< [surface][place]

  NodeDetection detection_;
  std::vector<NodeHit> hits_;  ///< of the last find() or take()
  double margin_m_ = 0;
  int n_thread_ = 1;
  std::vector<ObstaclePose> pose_;  ///< of the shapes at that step, as margin and threads,
  std::vector<Vec3d> x_;            ///< and where the nodes were
};

}  // namespace nodia
