/// Points, edges and faces of a shape that may touch another body, from the table of shapes.
#pragma once

#include "kernels/collision/soft_surface.hpp"
#include "kernels/contact/shapes.hpp"
#include "kernels/contact/shapes/closest_place.hpp"

namespace nodia {

/// Distance from an edge of a shape below which a point counts as on the edge [m]: kNearEdge of the
/// shape's size; 0 for shapes without edges. Smaller distances change neither a contact's normal
/// nor the identity of contacts.
inline double near_edge(const Shape& shape) {
  return kNearEdge * with_row(shape.kind, [&](auto row) { return row.sharp_size(shape); });
}

/// Distance of a point near a shape with edges to the plane (or round) of a face that faces the
/// point. Of the faces within `near` of the farthest one, the face with the most opposed normal
/// counts; among equals, the farther one. Returns false if no face faces the point.
/// @param p, facing  shape's frame; `facing` is the outward surface normal at p
inline bool face_distance(const Shape& shape, Vec3d p, Vec3d facing, double near,
                          SurfaceDistance* found) {
  const bool is_convex = with_row(shape.kind, [](auto row) { return row.kIsConvex; });
  if (!is_convex)
    return with_row(shape.kind,
                    [&](auto row) { return row.facing_face(shape, p, facing, near, found); });
  std::array<SurfaceDistance, 6> face;
  std::size_t n_face = 0;
  const auto add = [&](double distance, Vec3d normal) {
    if (dot(facing, normal) <= kNotFacing) face[n_face++] = {distance, normal};
  };
  with_row(shape.kind, [&](auto row) { row.faces(shape, p, add); });
  double farthest = -HUGE_VAL, most = HUGE_VAL;
  for (std::size_t k = 0; k < n_face; ++k) farthest = std::fmax(farthest, face[k].distance);
  const auto is_candidate = [&](std::size_t k) { return face[k].distance >= farthest - near; };
  for (std::size_t k = 0; k < n_face; ++k)
    if (is_candidate(k)) most = std::fmin(most, dot(facing, face[k].normal));
  constexpr double kAlike = 0.1;  // cosine
  found->distance = -HUGE_VAL;
  for (std::size_t k = 0; k < n_face; ++k)
    if (is_candidate(k) && dot(facing, face[k].normal) <= most + kAlike &&
        face[k].distance > found->distance)
      *found = face[k];
  return n_face > 0;
}

/// Distance of a surface point p with outward normal `facing` to a shape; false if the two surfaces
/// do not face each other. Inside a shape with edges the normal is that of the nearest facing face:
/// a box that sinks slightly into a box of the same size is moved up, not aside. Near an edge it is
/// also a face normal (face_distance), because the direction from the edge to the point is rounding
/// noise at contact.
/// @param facing  shape's frame; zero: plain signed distance
/// @param reach   of signed_distance() [m]
inline bool facing_distance(const Shape& shape, Vec3d p, Vec3d facing, double reach,
                            SurfaceDistance* found) {
  *found = signed_distance(shape, p, reach);
  if (!std::isfinite(found->distance)) return false;
  const double near = near_edge(shape), distance = found->distance;
  const bool faces = !(dot(facing, found->normal) > kNotFacing);
  if (!(near > 0) || squared_norm(facing) == 0) return faces;
  if (distance > near || (faces && distance < -near)) return faces;
  // Beside a face that does not face it, an outside point must be near the edge of a facing one.
  constexpr double kTouching = 1e-5;  // of `near`
  return face_distance(shape, p, facing, near, found) &&
         (faces || distance <= kTouching * near || found->distance >= -near);
}

/// Calls visit(ShapePoint) for the points of a shape that may be the first to touch a body given by
/// its distance, all in the shape's frame.
template <class Distance, class Visit>
void for_each_contact_point(const Shape& shape, const Distance& distance, const Visit& visit) {
  with_row(shape.kind, [&](auto row) { row.contact_points(shape, distance, visit); });
}

/// Calls visit(ShapePoint) for the points of a shape that soft surfaces test, in the shape's frame.
template <class Visit>
void for_each_sharp_point(const Shape& shape, const Visit& visit) {
  with_row(shape.kind, [&](auto row) { row.sharp_points(shape, visit); });
}

/// Calls visit(ShapePoint) for the deepest points of the round edges and tubes of a shape in
/// another body, in the shape's frame.
template <class Distance, class Visit>
void for_each_round_point(const Shape& shape, const Distance& distance, const Visit& visit) {
  with_row(shape.kind, [&](auto row) { row.round_points(shape, distance, visit); });
}

/// Calls visit(ShapePoint) for spheres that determine the overlap depth of a shape, in its frame.
template <class Visit>
void for_each_depth_point(const Shape& shape, const Visit& visit) {
  with_row(shape.kind, [&](auto row) {
    row.sharp_points(shape, visit);
    row.inner_points(shape, visit);
  });
}

/// True if the sharp points of a shape have the features of its contact points.
inline bool keeps_features(const Shape& shape) {
  return with_row(shape.kind, [](auto row) { return row.kKeepsFeatures; });
}

/// Added to the features of a shape's contact points on a union of shapes.
inline constexpr std::int32_t kUnionFeature = 32;
/// Added to the features of contact points of round shapes that find_entered_pairs() adds.
inline constexpr std::int32_t kEnteredFeature = kUnionFeature << 20;

/// Radius of a contact point of a shape [m].
inline double point_radius(const Shape& shape, std::int32_t feature) {
  const std::int32_t own = keeps_features(shape) ? feature : feature % kUnionFeature;
  return with_row(shape.kind, [&](auto row) { return row.point_radius(shape, own); });
}

/// True if a contact point is the one between the ends of the axis of a capsule or cylinder.
inline bool is_axis_point(const Shape& shape, std::int32_t feature) {
  constexpr std::int32_t kCapsulePoint = 2;  // CapsuleShape::contact_points
  const std::int32_t own = feature % kUnionFeature;
  return (shape.kind == ShapeKind::capsule && own == kCapsulePoint) ||
         (shape.kind == ShapeKind::cylinder && own == CylinderShape::kAxisPoint);
}

/// Calls add(distance, normal) for the faces of a shape with edges, in its frame; distance of p.
template <class Add>
void for_each_face(const Shape& shape, Vec3d p, const Add& add) {
  with_row(shape.kind, [&](auto row) { row.faces(shape, p, add); });
}

/// True if a point of the surface is on a face with this normal, not on an edge or a corner; also
/// if the shape has none.
inline bool is_on_face(const Shape& shape, Vec3d p, Vec3d normal) {
  constexpr double kSame = 1 - 1e-9;  // cosine
  bool any = !(near_edge(shape) > 0);
  for_each_face(shape, p, [&](double, Vec3d face) { any = any || dot(face, normal) > kSame; });
  return any;
}

/// Number of edges of a shape that are tested against edges of other bodies.
inline std::int32_t n_edge(const Shape& shape) {
  return with_row(shape.kind, [&](auto row) { return row.n_edge(shape); });
}
inline SolidEdge solid_edge(const Shape& shape, std::int32_t e) {
  return with_row(shape.kind, [&](auto row) { return row.edge(shape, e); });
}
/// Features of the contact points at the ends of an edge.
inline std::array<std::int32_t, 2> edge_ends(const Shape& shape, std::int32_t e) {
  return with_row(shape.kind, [&](auto row) { return row.edge_ends(shape, e); });
}
/// ShapeRow::curvature_radius [m].
inline double curvature_radius(const Shape& shape) {
  return with_row(shape.kind, [&](auto row) { return row.curvature_radius(shape); });
}
/// End of the axis of a shape with a lateral surface of radius Shape::radius; false for others.
inline bool has_axis(const Shape& shape, Vec3d* end) {
  return with_row(shape.kind, [&](auto row) {
    *end = row.axis_end(shape);
    return row.kHasAxis;
  });
}
inline bool has_circle(const Shape& shape) {
  return with_row(shape.kind, [](auto row) { return row.kHasCircle; });
}
/// ShapeRow::rim_at in the shape's frame.
inline bool rim_at(const Shape& shape, Vec3d p, SolidEdge* edge) {
  return with_row(shape.kind, [&](auto row) { return row.rim_at(shape, p, edge); });
}
/// Overlap beyond which edges do not determine the contact direction [m].
inline double edge_depth(const Shape& shape) {
  return with_row(shape.kind, [&](auto row) { return row.edge_depth(shape); });
}

}  // namespace nodia
