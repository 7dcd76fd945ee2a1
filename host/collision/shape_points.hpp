/// Points, edges and faces of a shape that may touch another body: what the rows of the table of
/// shapes say of them.
#pragma once

#include "kernels/collision/soft_surface.hpp"
#include "kernels/contact/shapes.hpp"
#include "kernels/contact/shapes/closest_place.hpp"

namespace nodia {

/// How close to an edge of a shape between faces a point may be on it [m]: a ten-thousandth of the
/// shape's size. Less than this decides neither what a contact's normal is nor whether two contacts
/// are one. 0 of shapes without.
inline double near_edge(const Shape& shape) {
  constexpr double kShare = 1e-4;
  return kShare * with_row(shape.kind, [&](auto row) { return row.sharp_size(shape); });
}

/// Distance of a point near a shape with edges over the plane (or the round) of a face of it, for
/// the faces that face the point: of those that are within `near` of the farthest one it is the one
/// that the point faces most, of two that it faces alike the farther one. False where none does.
/// @param p, facing  shape's frame; `facing` is the outward normal at p of the surface that has it
inline bool face_distance(const Shape& shape, Vec3d p, Vec3d facing, double near,
                          SurfaceDistance* found) {
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

/// Distance of the point p of a surface of outward normal `facing` to a shape; false where the two
/// surfaces do not face each other. Inside a shape with edges the normal is that of the
/// nearest face that faces the point: a box that sinks a little into one of the same size is pushed
/// up and not aside. Near an edge of one it is that of a face too (face_distance): the direction
/// from the edge to the point is rounding where they touch, and turns with the least motion.
/// @param facing  shape's frame; zero: the signed distance as it is
inline bool facing_distance(const Shape& shape, Vec3d p, Vec3d facing, SurfaceDistance* found) {
  *found = signed_distance(shape, p);
  if (!std::isfinite(found->distance)) return false;
  const double near = near_edge(shape), distance = found->distance;
  const bool faces = !(dot(facing, found->normal) > kNotFacing);
  if (!(near > 0) || squared_norm(facing) == 0) return faces;
  if (distance > near || (faces && distance < -near)) return faces;
  // Outside, beside a face that it does not face, it has to be near the edge with one that it does.
  constexpr double kTouching = 1e-5;  // of `near`
  return face_distance(shape, p, facing, near, found) &&
         (faces || distance <= kTouching * near || found->distance >= -near);
}

/// Calls visit(ShapePoint) for the points of a shape that may be the first to touch a body given by
/// its distance, all in the shape's frame.
/// @param points  of a distance grid's surface
template <class Distance, class Visit>
void for_each_contact_point(const Shape& shape, std::span<const Vec3d> points,
                            const Distance& distance, const Visit& visit) {
  with_row(shape.kind, [&](auto row) { row.contact_points(shape, points, distance, visit); });
}

/// Calls visit(ShapePoint) for the points of a shape tested against a soft surface, which do not
/// depend on it, shape's frame.
template <class Visit>
void for_each_sharp_point(const Shape& shape, std::span<const Vec3d> points, const Visit& visit) {
  with_row(shape.kind, [&](auto row) { row.sharp_points(shape, points, visit); });
}

/// Calls visit(ShapePoint) for the points of the round edges and tubes of a shape that lie deepest
/// in another body, shape's frame.
template <class Distance, class Visit>
void for_each_round_point(const Shape& shape, const Distance& distance, const Visit& visit) {
  with_row(shape.kind, [&](auto row) { row.round_points(shape, distance, visit); });
}

/// Calls visit(ShapePoint) for spheres of a shape that show how deep it lies in any body, shape's
/// frame.
/// @param vertices  of a distance grid's surface
template <class Visit>
void for_each_depth_point(const Shape& shape, std::span<const Vec3d> vertices, const Visit& visit) {
  with_row(shape.kind, [&](auto row) {
    row.sharp_points(shape, vertices, visit);
    row.inner_points(shape, visit);
  });
}

/// Whether the sharp points of a shape have the features of its contact points.
inline bool keeps_features(const Shape& shape) {
  return with_row(shape.kind, [](auto row) { return row.kKeepsFeatures; });
}

/// Edges of a shape that are held against edges of others, shape's frame.
inline std::int32_t n_edge(const Shape& shape) {
  return with_row(shape.kind, [](auto row) { return row.kEdges; });
}
inline SolidEdge solid_edge(const Shape& shape, std::int32_t e) {
  return with_row(shape.kind, [&](auto row) { return row.edge(shape, e); });
}
/// Features of the contact points at its ends.
inline std::array<std::int32_t, 2> edge_ends(const Shape& shape, std::int32_t e) {
  return with_row(shape.kind, [&](auto row) { return row.edge_ends(e); });
}
/// Beyond this overlap edges do not tell where they came in [m].
inline double edge_depth(const Shape& shape) {
  return with_row(shape.kind, [&](auto row) { return row.edge_depth(shape); });
}

}  // namespace nodia
