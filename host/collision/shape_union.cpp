/// Contacts of the union of shapes that do not move relative to each other.
#include "host/collision/shape_union.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "host/collision/index.hpp"
#include "host/collision/shape_points.hpp"

namespace nodia {
namespace {

// Shares of delta. At a crease with a neighbour, at the angle a to it, the way out is free if
// cos(a) >= kFree, and the shape rises above the neighbour if kLift cos(a) <= kRise. No angle has
// neither, because kRise > kLift kFree.
constexpr double kFree = 0.4;  ///< distance from a neighbour at which a way out is free
constexpr double kLift = 2;    ///< height above a neighbour at which a flush shape has ended
constexpr double kRise = 0.9;  ///< distance from the flush shape there
/// Cosine below which a way out runs neither into a neighbour nor out of it.
constexpr double kAlong = 0.5;

/// True if two poses differ by less than `tolerance` [m] within about 1 m of the frame.
bool are_alike(const Pose& a, const Pose& b, double tolerance) {
  const Mat3d turned = a.rotation - b.rotation;
  double squared = squared_norm(a.position - b.position);
  for (int k = 0; k < 3; ++k) squared += squared_norm(turned.row[k]);
  return squared < tolerance * tolerance;  // false for NaN
}

/// Radius of the sphere about the point of side i [m].
double radius_of_point(const std::vector<Body>& bodies, const SurfacePair& pair) {
  if (pair.rule == PairRule::node) return 0;
  if (const ShapeBody* shape = shape_at(bodies, pair.surface_i))
    return pair.rule == PairRule::point ? point_radius(shape->surface.shape, pair.feature_i) : 0;
  return extent_of(bodies[at(pair.surface_i)]).thickness;
}

/// Radius of a sphere, a tube or the side of a cylinder [m]; 0 for other surfaces. A body that
/// rolls is nearest to the surface below its axis, whatever the gap.
/// @param normal  of the surface, shape's frame
double rolling_radius(const Shape& shape, Vec3d normal) {
  constexpr double kSide = 0.7;  // cosine
  switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::capsule:
      return shape.radius;
    case ShapeKind::torus:
      return shape.tube_radius;
    case ShapeKind::cylinder:
      return std::fabs(normal.z) < kSide ? shape.radius : 0;
    default:
      return 0;
  }
}

}  // namespace

void ShapeUnion::update(const std::vector<Body>& bodies, const ProximityState& state,
                        double step_s) {
  step_s_ = step_s;
  const auto frame_of = [&](std::int32_t k) { return shape_at(bodies, k)->surface.frame; };
  const auto now_of = [&](std::int32_t k) { return state.pose[at(frame_of(k))]; };
  const auto next_frame = [&](std::int32_t k) { return next_of(state, frame_of(k), step_s); };
  for (const std::int32_t m : shapes_) {
    Placed& own = placed_[at(m)];
    own.now = shape_at(bodies, m)->pose_at(now_of(m));
    own.next = shape_at(bodies, m)->pose_at(next_frame(m));
    const auto frame = at(frame_of(m));
    const double free = state.twist_free.empty() ? 0 : norm(state.twist_free[frame].angular);
    own.turn = step_s * std::fmax(free, norm(state.twist[frame].angular));
    constexpr double kStill = 0.01;  // of delta
    for (Neighbour& k : own.neighbours) {
      if (k.on_one_frame) continue;
      const double tolerance = kStill * k.delta_m;
      k.is_active =
          are_alike(relative_to(now_of(m), now_of(k.surface)), k.relative, tolerance) &&
          are_alike(relative_to(next_frame(m), next_frame(k.surface)), k.relative, tolerance);
    }
  }
}

SurfaceDistance ShapeUnion::distance(const std::vector<Body>& bodies, std::int32_t surface,
                                     Vec3d p) const {
  const Pose& pose = placed_[at(surface)].now;
  const SurfaceDistance local =
      signed_distance(shape_at(bodies, surface)->surface.shape, pose.to_local(p));
  return {local.distance, pose.rotation * local.normal};
}

/// True if the shape rises above the surface of its neighbour k at the point.
/// @param outside  distance from k at the point or above it; its normal is that of k there
bool ShapeUnion::rises_above(const std::vector<Body>& bodies, const Place& at_m, const Neighbour& k,
                             const SurfaceDistance& outside) const {
  const double lift = kLift * k.delta_m + std::fmax(0.0, -outside.distance);
  const Vec3d above = at_m.q + lift * outside.normal;
  return !(distance(bodies, at_m.surface, above).distance > kRise * k.delta_m);
}

bool ShapeUnion::is_hidden(const std::vector<Body>& bodies, const Place& at_m) const {
  const auto blocks = [&](const Neighbour& k) {
    if (!k.is_active || !k.may_touch) return false;
    const SurfaceDistance way = distance(bodies, k.surface, at_m.q + k.delta_m * at_m.d);
    if (!(way.distance < kFree * k.delta_m)) return false;
    const double cosine = dot(way.normal, at_m.d);
    if (cosine < -kAlong) return true;
    if (cosine > kAlong) return way.distance < 0;
    return !rises_above(bodies, at_m, k, way);
  };
  const auto& neighbours = placed_[at(at_m.surface)].neighbours;
  return std::any_of(neighbours.begin(), neighbours.end(), blocks);
}

bool ShapeUnion::has_nearer(const std::vector<Body>& bodies, const Place& at_m) const {
  const double own = distance(bodies, at_m.surface, at_m.other).distance;
  const auto is_nearer = [&](const Neighbour& k) {
    if (!k.is_active || !k.may_touch) return false;
    // Exact comparison: a tolerance would not be transitive, and all contacts could be omitted.
    const double of_k = distance(bodies, k.surface, at_m.other).distance;
    if (!(std::pair(of_k, k.surface) < std::pair(own, at_m.surface))) return false;
    const double at_q = distance(bodies, k.surface, at_m.q).distance;
    if (!(at_q <= k.delta_m)) return false;
    const Vec3d out = distance(bodies, k.surface, at_m.q + k.delta_m * at_m.d).normal;
    return !rises_above(bodies, at_m, k, {at_q, out});
  };
  const auto& neighbours = placed_[at(at_m.surface)].neighbours;
  return std::any_of(neighbours.begin(), neighbours.end(), is_nearer);
}

/// True if a face beside an edge of the shape is hidden at the point.
bool ShapeUnion::has_hidden_face(const std::vector<Body>& bodies, const Place& at_m,
                                 std::int32_t edge) const {
  const SolidEdge solid = solid_edge(shape_at(bodies, at_m.surface)->surface.shape, edge);
  const Mat3d& rotation = placed_[at(at_m.surface)].now.rotation;
  return std::any_of(std::begin(solid.normal), std::end(solid.normal), [&](Vec3d normal) {
    return is_hidden(bodies, {at_m.surface, at_m.q, rotation * normal, at_m.other});
  });
}

/// Distance from the surface of the other body to the point that decides what is nearest to it [m].
double ShapeUnion::depth_of_centre(const std::vector<Body>& bodies, const SurfacePair& pair,
                                   bool of_i) const {
  const std::int32_t surface = of_i ? pair.surface_i : pair.surface_j;
  if (const ShapeBody* shape = shape_at(bodies, surface)) {
    const Pose& pose = has_neighbours(surface) ? placed_[at(surface)].now : shape->pose;
    return rolling_radius(shape->surface.shape, transpose_times(pose.rotation, pair.normal));
  }
  return of_i ? radius_of_point(bodies, pair) : 0;
}

ShapeUnion::Place ShapeUnion::place_of(const std::vector<Body>& bodies, const SurfacePair& pair,
                                       bool is_i) const {
  const double height = pair.gap_m + depth_of_centre(bodies, pair, !is_i);
  const Vec3d q = is_i ? pair.i.position : pair.j.position, d = is_i ? -pair.normal : pair.normal;
  return {is_i ? pair.surface_i : pair.surface_j, q, d, q + height * d};
}

/// True if the point of shape i, a corner, is not the point of i that is closest to the axis of a
/// round body j. The search finds the corners of i alone, and a corner in a seam is none.
bool ShapeUnion::is_beside_corner(const std::vector<Body>& bodies, const SurfacePair& pair,
                                  const Place& corner) const {
  const double radius = depth_of_centre(bodies, pair, false);
  constexpr double kRounding = 1e-12;
  return pair.rule == PairRule::point && radius > 0 &&
         distance(bodies, corner.surface, corner.other).distance <
             (1 - kRounding) * (pair.gap_m + radius);
}

/// True if a neighbour that hides the pair's point of this surface may not do so at the end of the
/// step.
bool ShapeUnion::may_come_out(const SurfacePair& pair, std::int32_t surface) const {
  constexpr double kTurn = 0.02;  // [rad]
  const Placed& own = placed_[at(surface)];
  return own.turn > kTurn &&
         std::all_of(own.neighbours.begin(), own.neighbours.end(),
                     [&](const Neighbour& k) { return pair.gap_m > k.delta_m; });
}

ShapeUnion::Verdict ShapeUnion::verdict(const std::vector<Body>& bodies, const SurfacePair& pair,
                                        bool is_i) const {
  const std::int32_t surface = is_i ? pair.surface_i : pair.surface_j;
  if (!has_neighbours(surface) || may_come_out(pair, surface)) return Verdict::contact;
  const Place place = place_of(bodies, pair, is_i);
  if (is_hidden(bodies, place)) return Verdict::hidden;
  if (pair.rule == PairRule::edge) {
    const std::int32_t edge = is_i ? pair.feature_i : pair.feature_j;
    const bool has_faces = edge < n_edge(shape_at(bodies, surface)->surface.shape);
    if (has_faces && has_hidden_face(bodies, place, edge)) return Verdict::hidden;
  }
  if (is_i && is_beside_corner(bodies, pair, place)) return Verdict::farther;
  return has_nearer(bodies, place) ? Verdict::farther : Verdict::contact;
}

/// Moves the pair of a point to the nearest face of shape j whose way out is free.
bool ShapeUnion::take_free_face(const std::vector<Body>& bodies, SurfacePair* pair) const {
  if (pair->rule == PairRule::edge) return false;
  const ShapeBody* j = shape_at(bodies, pair->surface_j);
  if (j == nullptr) return false;
  // The pose is that of the last update, or that of this class for shapes with neighbours.
  const bool is_union_j = has_neighbours(pair->surface_j);
  const bool is_union_i = has_neighbours(pair->surface_i);
  const Pose& pose = is_union_j ? placed_[at(pair->surface_j)].now : j->pose;
  const double radius = radius_of_point(bodies, *pair);
  const Vec3d centre = pair->j.position + (pair->gap_m + radius) * pair->normal;
  double delta = 0;
  for (const std::int32_t k : {pair->surface_i, pair->surface_j})
    for (const Neighbour& n : placed_[at(k)].neighbours) delta = std::max(delta, n.delta_m);
  const Vec3d local = pose.to_local(centre);
  if (!(signed_distance(j->surface.shape, local).distance - radius <= delta)) return false;

  SurfacePair best = *pair;
  bool found = false;
  for_each_face(j->surface.shape, local, [&](double distance, Vec3d face) {
    if (found && !(distance - radius > best.gap_m)) return;
    SurfacePair moved = *pair;
    moved.normal = pose.rotation * face;
    moved.gap_m = distance - radius;
    moved.j.position = centre - distance * moved.normal;
    if (pair->i.kind == PointKind::frame) moved.i.position = centre - radius * moved.normal;
    const Place of_i = place_of(bodies, moved, true), of_j = place_of(bodies, moved, false);
    if (is_union_j && is_hidden(bodies, of_j)) return;
    if (is_union_i) {
      // The way out must also leave shape i itself: its corner faces the face.
      const Vec3d out = of_i.q + delta * of_i.d;
      if (!(this->distance(bodies, pair->surface_i, out).distance >= kFree * delta)) return;
      if (is_hidden(bodies, of_i)) return;
    }
    best = moved;
    found = true;
  });
  if (!found) return false;
  if (is_union_j && j->surface.prescribed && step_s_ > 0) {
    const Vec3d end = placed_[at(pair->surface_j)].next.to_world(pose.to_local(best.j.position));
    best.surface_velocity = (1 / step_s_) * (end - best.j.position);
  }
  *pair = best;
  return true;
}

/// True if the point of side i is between the ends of an axis that both are as near the group of j
/// as a plane would be. The ends then carry the body, and a contact between them would share its
/// weight in an undetermined way. The search compares the ends with shape j alone.
bool ShapeUnion::is_between_ends(const std::vector<Body>& bodies, const SurfacePair& pair) const {
  const ShapeBody* shape = shape_at(bodies, pair.surface_i);
  if (shape == nullptr || pair.rule != PairRule::point || !has_neighbours(pair.surface_j))
    return false;
  const Shape& own = shape->surface.shape;
  if (!is_axis_point(own, pair.feature_i)) return false;
  const Pose& pose = has_neighbours(pair.surface_i) ? placed_[at(pair.surface_i)].now : shape->pose;
  const double radius = radius_of_point(bodies, pair);
  const Vec3d centre = pair.i.position + radius * pair.normal;
  const double share = pose.to_local(centre).z / own.length + 0.5;
  double between = 0;
  for (const bool is_top : {false, true}) {
    const Vec3d end = pose.to_world({0, 0, (is_top ? 0.5 : -0.5) * own.length});
    SurfaceDistance least{HUGE_VAL, {}};
    for (const std::int32_t k : shapes_) {
      if (placed_[at(k)].group != placed_[at(pair.surface_j)].group) continue;
      const SurfaceDistance d = distance(bodies, k, end);
      if (d.distance < least.distance) least = d;
    }
    constexpr double kParallel = 1e-6;  // 1 - cosine
    if (!(dot(least.normal, pair.normal) > 1 - kParallel)) return false;
    between += (is_top ? share : 1 - share) * least.distance;
  }
  constexpr double kLower = 1e-9;  // of the length, as in least_inside
  return pair.gap_m + radius > between - 10 * kLower * own.length;
}

/// False if the pair is no contact of the union; sets its normal and gap to those of the union.
bool ShapeUnion::is_contact(const std::vector<Body>& bodies, SurfacePair* pair) const {
  if (is_between_ends(bodies, *pair)) return false;
  Verdict i = verdict(bodies, *pair, true), j = verdict(bodies, *pair, false);
  if (i == Verdict::hidden || j == Verdict::hidden) {
    if (!take_free_face(bodies, pair)) return false;
    i = verdict(bodies, *pair, true);
    j = verdict(bodies, *pair, false);
  }
  return i == Verdict::contact && j == Verdict::contact;
}

void ShapeUnion::select(std::int32_t surface, std::int32_t other, const MayTouch& may_touch) {
  for (Neighbour& k : placed_[at(surface)].neighbours) k.may_touch = may_touch(k.surface, other);
}

void ShapeUnion::filter(const std::vector<Body>& bodies, const MayTouch& may_touch,
                        std::vector<SurfacePair>* pairs) {
  if (shapes_.empty()) return;
  omitted_.clear();
  auto kept = pairs->begin();
  for (const SurfacePair& found : *pairs) {
    SurfacePair pair = found;
    bool is_kept = true;
    if (has_neighbours(pair.surface_i) || has_neighbours(pair.surface_j)) {
      select(pair.surface_i, pair.surface_j, may_touch);
      select(pair.surface_j, pair.surface_i, may_touch);
      is_kept = is_contact(bodies, &pair);
      const ShapeBody* i = shape_at(bodies, pair.surface_i);
      // Points that slide on their shape, and those of a union, leave the body to others.
      const bool is_point =
          pair.rule != PairRule::edge && (i == nullptr || keeps_features(i->surface.shape));
      if (!is_kept && is_point && found.gap_m < 0 && has_neighbours(pair.surface_j) &&
          !has_neighbours(pair.surface_i))
        omitted_.push_back(found);
    }
    if (is_kept) *kept++ = pair;
  }
  pairs->erase(kept, pairs->end());
  if (!omitted_.empty()) restore_least_deep(pairs);
}

void ShapeUnion::list_near(const std::vector<Body>& bodies, std::int32_t surface, Vec3d centre,
                           double radius, std::vector<std::int32_t>* out) const {
  out->clear();
  if (!has_neighbours(surface)) return;
  for (const std::int32_t k : shapes_) {
    const Placed& placed = placed_[at(k)];
    if (placed.group == placed_[at(surface)].group &&
        shape_at(bodies, k)->bounds.is_near(placed.now.to_local(centre), radius)) {
      out->push_back(k);
    }
  }
}

/// Restores the least deep of the omitted pairs of a point that is in a shape without a contact
/// with its group.
void ShapeUnion::restore_least_deep(std::vector<SurfacePair>* pairs) const {
  const auto point_of = [&](const SurfacePair& p) {
    return std::make_tuple(p.surface_i, placed_[at(p.surface_j)].group, p.rule, p.feature_i);
  };
  std::vector<SurfacePair> restored;
  for (const SurfacePair& p : omitted_) {
    const auto is_same = [&](const SurfacePair& other) { return point_of(other) == point_of(p); };
    if (std::any_of(pairs->begin(), pairs->end(), is_same)) continue;
    const auto known = std::find_if(restored.begin(), restored.end(), is_same);
    if (known == restored.end())
      restored.push_back(p);
    else if (p.gap_m > known->gap_m)
      *known = p;
  }
  pairs->insert(pairs->end(), restored.begin(), restored.end());
}

}  // namespace nodia
