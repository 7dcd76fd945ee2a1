#include "host/collision/turned_pair.hpp"

#include <algorithm>

#include "host/collision/pair_search.hpp"
#include "kernels/core/rotation.hpp"

namespace nodia {
namespace {

/// The smallest rotation that takes the unit vector a to b; identity for opposite vectors.
Mat3d rotation_between(Vec3d a, Vec3d b) {
  const double one_plus_cosine = 1 + dot(a, b);
  if (!(one_plus_cosine > 1e-6)) return Mat3d::identity();
  const Mat3d k = skew(cross(a, b));
  return Mat3d::identity() + k + (1 / one_plus_cosine) * (k * k);
}

/// Rotation of the surface of a shape in a step: without the rotation of a round shape about its
/// axis, which does not move the surface.
Mat3d rotation_of_surface(ShapeKind kind, const Pose& now, const Pose& end) {
  if (kind == ShapeKind::sphere) return Mat3d::identity();
  const auto is_round =
      kind == ShapeKind::capsule || kind == ShapeKind::cylinder || kind == ShapeKind::torus;
  const Vec3d axis{0, 0, 1};
  return is_round ? rotation_between(now.rotation * axis, end.rotation * axis)
                  : end.rotation * transpose(now.rotation);
}

/// Motion of a body in a step.
struct BodyTurn {
  const ShapeBody* shape = nullptr;  ///< null for soft bodies
  Pose now{}, end{};                 ///< of the shape
  Vec3d origin_now{}, origin_end{};  ///< of its frame [m]
  Mat3d turn = Mat3d::identity();    ///< rotation_of_surface(); of the material if prescribed

  bool is_free() const { return shape != nullptr && !shape->surface.prescribed; }
  /// Place at the end of a point that moves with the shape, and the inverse.
  Vec3d moved(Vec3d p) const { return end.position + turn * (p - now.position); }
  Vec3d moved_back(Vec3d p) const { return now.position + transpose_times(turn, p - end.position); }
};

/// @param end  pose of the shape at the end
BodyTurn turn_to(const ShapeBody& shape, const Pose& end) {
  BodyTurn t{&shape, shape.pose, end, {}, {}, {}};
  // The search takes the surface velocity of a prescribed shape from its material.
  t.turn = t.is_free() ? rotation_of_surface(shape.surface.shape.kind, t.now, t.end)
                       : t.end.rotation * transpose(t.now.rotation);
  return t;
}

BodyTurn turn_of(const Body& body, const ProximityState& state) {
  const auto* shape = std::get_if<ShapeBody>(&body);
  if (shape == nullptr) return {};
  const Pose& frame = state.pose[static_cast<std::size_t>(shape->surface.frame)];
  BodyTurn t = turn_to(*shape, shape->pose_at(frame));
  t.origin_now = shape->origin;
  t.origin_end = frame.position;
  return t;
}

/// Position of a point of a pair at the end of the step.
/// @param place  the point, or another place that moves with the shape
Vec3d end_of(const BodyTurn& body, const BodyPoint& point, Vec3d place, const ProximityState& end) {
  if (body.shape != nullptr) return body.moved(place);
  Vec3d moved{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(point.n_node); ++k)
    moved += point.weight[k] * end.x[static_cast<std::size_t>(point.node[k])];
  return moved;
}

/// True if a movable shape rotates by more than kSmallest.
bool turns(const BodyTurn& body) {
  constexpr double kSmallest = 1e-3;  // [rad]
  if (!body.is_free()) return false;
  const Mat3d d = body.turn - Mat3d::identity();
  return squared_norm(d.row[0]) + squared_norm(d.row[1]) + squared_norm(d.row[2]) >
         2 * kSmallest * kSmallest;
}

/// Radius of the point of i that touches j [m].
double radius_of(const SurfacePair& pair, const ShapeBody* i) {
  const bool is_point = pair.rule == PairRule::point || pair.rule == PairRule::face;
  return is_point && i != nullptr ? point_radius(i->surface.shape, pair.feature_i) : 0.0;
}

/// Normal of a pair of edges at the end; `normal` if they are parallel.
Vec3d normal_of_edges(const SurfacePair& pair, const BodyTurn& i, const BodyTurn& j) {
  const auto direction = [](const BodyTurn& body, std::int32_t feature) {
    const SolidEdge edge = solid_edge(body.shape->surface.shape, feature);
    return body.end.rotation * (edge.b - edge.a);
  };
  const Vec3d a = direction(i, pair.feature_i), b = direction(j, pair.feature_j);
  const Vec3d n = cross(a, b);
  constexpr double kParallel = 1e-3;  // sine
  if (!(norm(n) > kParallel * norm(a) * norm(b))) return pair.normal;
  return (dot(n, pair.normal) < 0 ? -1 : 1) / norm(n) * n;
}

/// Normal of a point of i over j at the end. @param apart  from j to i at the end [m]
Vec3d normal_on(const SurfacePair& pair, const BodyTurn& j, Vec3d apart) {
  if (!j.is_free()) return pair.normal;
  const Vec3d turned = j.turn * pair.normal;
  const bool is_face = is_on_face(j.shape->surface.shape, j.now.to_local(pair.j.position),
                                  transpose_times(j.now.rotation, pair.normal));
  // An edge or a corner has several normals. The one with the largest distance is valid.
  return is_face || dot(turned, apart) >= dot(pair.normal, apart) ? turned : pair.normal;
}

}  // namespace

TurnedPair turned_pair(const SurfacePair& pair, const Body& i, const Body& j,
                       const ProximityState& end) {
  const auto is_rod = [](const Body& body) { return std::holds_alternative<RodBody>(body); };
  if (pair.rule == PairRule::node || is_rod(i) || is_rod(j)) return {};
  const BodyTurn turn_i = turn_of(i, end), turn_j = turn_of(j, end);
  if (!turns(turn_i) && !turns(turn_j)) return {};
  const double radius = radius_of(pair, turn_i.shape);
  const Vec3d core = pair.i.position + radius * pair.normal;
  const Vec3d core_end = end_of(turn_i, pair.i, core, end);
  const Vec3d foot_end = end_of(turn_j, pair.j, pair.j.position, end);
  const Vec3d apart = core_end - foot_end;
  const bool are_edges = pair.rule == PairRule::edge && turn_i.shape && turn_j.shape;
  const Vec3d normal_end =
      are_edges ? normal_of_edges(pair, turn_i, turn_j) : normal_on(pair, turn_j, apart);

  TurnedPair t;
  t.turns = true;
  t.gap_end_m = pair.gap_m + dot(normal_end, apart) - dot(pair.normal, core - pair.j.position);
  t.at_i = pair.i.position;
  t.at_j = pair.j.position;
  const Vec3d on_i_end = core_end - radius * normal_end;
  const Vec3d on_j_end = on_i_end - t.gap_end_m * normal_end;
  const auto half_way = [](const BodyTurn& body, Vec3d p, Vec3d p_end) {
    return 0.5 * (p + p_end - (body.origin_end - body.origin_now));
  };
  if (turn_i.is_free()) t.at_i = half_way(turn_i, t.at_i, on_i_end);
  if (turn_j.is_free()) t.at_j = half_way(turn_j, t.at_j, on_j_end);
  const Vec3d sum = pair.normal + normal_end;
  constexpr double kOpposite = 0.1;
  t.normal = norm(sum) > kOpposite ? (1 / norm(sum)) * sum : pair.normal;
  return t;
}

namespace {

/// True if a known pair has the same feature as `pair`. Round shapes have no fixed features: there,
/// the centres of the contact points are compared.
/// @param centre  of the contact point of i at the start of the step [m]
bool is_known(const SurfacePair& pair, Vec3d centre, const ShapeBody& i,
              std::span<const SurfacePair> known) {
  const Shape& shape = i.surface.shape;
  constexpr double kNear = 0.25;  // of the radius
  const bool is_round = pair.rule == PairRule::point && !keeps_features(shape);
  return std::any_of(known.begin(), known.end(), [&](const SurfacePair& k) {
    const bool same = k.surface_i == pair.surface_i && k.surface_j == pair.surface_j;
    if (pair.rule == PairRule::edge)
      return same && k.rule == pair.rule && k.feature_i == pair.feature_i &&
             k.feature_j == pair.feature_j;
    if (!same || (k.rule != PairRule::point && k.rule != PairRule::face)) return false;
    if (!is_round) return k.feature_i == pair.feature_i;
    return norm(k.i.position + radius_of(k, &i) * k.normal - centre) < kNear * shape.radius;
  });
}

}  // namespace

void find_entered_pairs(const ShapeAtEnd& i, const ShapeAtEnd& j, double least,
                        std::span<const SurfacePair> known, std::vector<SurfacePair>* out) {
  ShapeBody end_i = i.shape, end_j = j.shape;
  end_i.pose = i.end;
  end_j.pose = j.end;
  std::vector<SurfacePair> found;
  ProximityCounters counters;
  PairSearch search;
  search.surface_i = i.surface;
  search.surface_j = j.surface;
  search.out = &found;
  search.counters = &counters;
  find_shape_pairs(end_i, end_j, search);
  for (SurfacePair pair : found) {
    if (!(pair.gap_m < -least)) continue;
    const bool is_forward = pair.surface_i == i.surface;
    const ShapeAtEnd &a = is_forward ? i : j, &b = is_forward ? j : i;
    const BodyTurn turn_a = turn_to(a.shape, a.end), turn_b = turn_to(b.shape, b.end);
    const double radius = radius_of(pair, &a.shape);
    const Vec3d centre = turn_a.moved_back(pair.i.position + radius * pair.normal);
    if (is_known(pair, centre, a.shape, known)) continue;
    pair.j.position = turn_b.moved_back(pair.j.position);
    pair.normal = transpose_times(turn_b.turn, pair.normal);
    pair.i.position = centre - radius * pair.normal;
    const double end_m = pair.gap_m;
    pair.gap_m = dot(pair.normal, pair.i.position - pair.j.position);
    // The bodies overlapped at the start already, or this normal does not separate them there.
    if (pair.gap_m < 0.5 * end_m) continue;
    pair.gap_m = std::max(pair.gap_m, 0.0);
    if (pair.rule == PairRule::point && !keeps_features(a.shape.surface.shape))
      pair.feature_i += kEnteredFeature + kUnionFeature * static_cast<std::int32_t>(out->size());
    pair.key = key_of(pair.surface_i, pair.surface_j, pair.rule, pair.feature_i, pair.feature_j);
    out->push_back(pair);
  }
}

}  // namespace nodia
