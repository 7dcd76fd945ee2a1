/// Contacts of the union of shapes that do not move relative to each other: shapes of one frame,
/// and prescribed shapes of one unit (ShapeSurface::unit). Internal header of proximity.hpp.
///
/// The search finds the closest feature of each shape alone. A contact of shape m at the point q of
/// its surface, with the outward direction d, is no contact of the union in two cases:
/// - Hidden: a neighbour k of m blocks the way out along d. The contact then takes the nearest face
///   whose way out is free if the point is at most delta outside a shape with faces; otherwise it
///   is omitted. An edge is also hidden if the normal of one of its faces is.
/// - Farther: q is on k, k is nearer to the other body's point, and m does not rise above the
///   surface of k at q. Then q is no local minimum of the distance to the union.
///
/// A surface of m that rises less than about delta above k is flush with k: the seam between two
/// boards, but not a wall on a floor, where d runs along the surface of the floor.
/// delta = min(4e-5 m, 1 % of the smallest extent of both shapes).
///
/// On a body that turns by more than 0.02 rad in the step, a contact with a gap above delta is
/// kept: what hides it now may have left at the end of the step.
///
/// Also omitted are a corner of the union's shape beside the point that is closest to a round body,
/// and the point on a capsule's or cylinder's axis between two ends that touch the union.
#pragma once

#include <functional>
#include <vector>

#include "host/collision/proximity_bodies.hpp"

namespace nodia {

/// The shape with this number, or null.
inline const ShapeBody* shape_at(const std::vector<Body>& bodies, std::int32_t surface) {
  return std::get_if<ShapeBody>(&bodies[static_cast<std::size_t>(surface)]);
}

/// Pose seen from another one.
inline Pose relative_to(const Pose& base, const Pose& pose) {
  return {base.to_local(pose.position), transpose(base.rotation) * pose.rotation};
}

class ShapeUnion {
 public:
  using MayTouch = std::function<bool(std::int32_t, std::int32_t)>;

  /// Lists the neighbours: shapes of one group whose bounds, grown by delta, overlap.
  void set(const std::vector<Body>& bodies);
  bool is_empty() const { return shapes_.empty(); }  ///< true if no shape has a neighbour
  /// True if another shape of its group is near this one.
  bool has_neighbours(std::int32_t surface) const {
    return static_cast<std::size_t>(surface) < placed_.size() &&
           !placed_[static_cast<std::size_t>(surface)].neighbours.empty();
  }
  /// True if a prescribed shape has a neighbour.
  bool has_prescribed() const { return has_prescribed_; }

  /// Sets the poses for filter(). Neighbours that no longer have their relative poses of the start,
  /// or that lose them in the step, do not count.
  void update(const std::vector<Body>& bodies, const ProximityState& state, double step_s);
  /// Lists the shapes of the group of a surface that are near a sphere; none without neighbours.
  void list_near(const std::vector<Body>& bodies, std::int32_t surface, Vec3d centre, double radius,
                 std::vector<std::int32_t>* out) const;
  /// Signed distance of a shape with neighbours, world.
  SurfaceDistance distance(const std::vector<Body>& bodies, std::int32_t surface, Vec3d p) const;
  /// Omits or corrects the pairs that are no contacts of the union. A point in a shape that
  /// would have no contact with the group keeps its least deep pair, at the end.
  /// @param may_touch  (surface, surface) -> true if the two may collide; others do not hide
  void filter(const std::vector<Body>& bodies, const MayTouch& may_touch,
              std::vector<SurfacePair>* pairs);

 private:
  struct Neighbour {
    std::int32_t surface = 0;
    double delta_m = 0;
    Pose relative;  ///< pose of its frame in the frame of the other shape at the start
    bool on_one_frame = true;
    bool is_active = true;
    bool may_touch = true;  ///< set for the pair that is tested
  };
  struct Placed {
    std::vector<Neighbour> neighbours;  ///< ascending
    std::int32_t group = -1;            ///< lowest surface that neighbours connect with this one
    Pose now, next;                     ///< world
    double turn = 0;                    ///< in the step, if no force stops it [rad]
  };
  /// Surface point of a shape in a contact.
  struct Place {
    std::int32_t surface = 0;
    Vec3d q{}, d{};  ///< point, and unit outward direction
    Vec3d other{};   ///< point of the other body, or centre of its sphere
  };
  enum class Verdict { contact, hidden, farther };

  bool rises_above(const std::vector<Body>& bodies, const Place& at, const Neighbour& k,
                   const SurfaceDistance& outside) const;
  bool is_hidden(const std::vector<Body>& bodies, const Place& at) const;
  bool has_nearer(const std::vector<Body>& bodies, const Place& at) const;
  bool has_hidden_face(const std::vector<Body>& bodies, const Place& at, std::int32_t edge) const;
  bool may_come_out(const SurfacePair& pair, std::int32_t surface) const;
  double depth_of_centre(const std::vector<Body>& bodies, const SurfacePair& pair, bool of_i) const;
  Place place_of(const std::vector<Body>& bodies, const SurfacePair& pair, bool is_i) const;
  bool is_beside_corner(const std::vector<Body>& bodies, const SurfacePair& pair,
                        const Place& corner) const;
  Verdict verdict(const std::vector<Body>& bodies, const SurfacePair& pair, bool is_i) const;
  bool take_free_face(const std::vector<Body>& bodies, SurfacePair* pair) const;
  bool is_between_ends(const std::vector<Body>& bodies, const SurfacePair& pair) const;
  bool is_contact(const std::vector<Body>& bodies, SurfacePair* pair) const;
  void restore_least_deep(std::vector<SurfacePair>* pairs) const;
  void select(std::int32_t surface, std::int32_t other, const MayTouch& may_touch);

  std::vector<Placed> placed_;        ///< per surface; empty without neighbours
  std::vector<std::int32_t> shapes_;  ///< surfaces with neighbours, ascending
  std::vector<SurfacePair> omitted_;  ///< pairs of points in shapes that filter() omitted
  bool has_prescribed_ = false;
  double step_s_ = 0;
};

}  // namespace nodia
