/// Table of the collision shapes and its queries; host and device.
#pragma once

#include "kernels/contact/shapes/box.hpp"
#include "kernels/contact/shapes/capsule.hpp"
#include "kernels/contact/shapes/cylinder.hpp"
#include "kernels/contact/shapes/distance_grid.hpp"
#include "kernels/contact/shapes/half_space.hpp"
#include "kernels/contact/shapes/sphere.hpp"
#include "kernels/contact/shapes/torus.hpp"

namespace nodia {

template <class... Rows>
struct ShapeList {
  template <class First>
  using After = ShapeList<First, Rows...>;
  template <class Last>
  using Before = ShapeList<Rows..., Last>;
};

/// Bounded shapes with sizes, in the order of the schema.
using SizedSolids = ShapeList<BoxShape, SphereShape, CylinderShape, CapsuleShape, TorusShape>;
/// Shapes of bodies.
using SolidShapes = SizedSolids::Before<GridShape>;
/// Shapes of obstacles: all.
using AllShapes = SolidShapes::After<HalfSpaceShape>;

/// f(row) for the row of a kind; a default value for an unknown kind.
template <class F, class Row, class... Rows>
NODIA_HD auto with_row(ShapeKind kind, const F& f, ShapeList<Row, Rows...>) -> decltype(f(Row{})) {
  if (kind == Row::kKind) return f(Row{});
  if constexpr (sizeof...(Rows) > 0) return with_row(kind, f, ShapeList<Rows...>{});
  return decltype(f(Row{}))();
}
template <class F>
NODIA_HD auto with_row(ShapeKind kind, const F& f) {
  return with_row(kind, f, AllShapes{});
}

/// Signed distance of a point to a shape and the outward unit normal, both in the shape's frame.
/// @param p  query point [m]
NODIA_HD SurfaceDistance signed_distance(const Shape& shape, Vec3d p) {
  return with_row(shape.kind, [&](auto row) { return row.distance(shape, p); });
}

/// The same; beyond `reach` [m] from the surface, that of a mesh is wrong by up to a cell of its
/// grid. An exact one costs more there.
NODIA_HD SurfaceDistance signed_distance(const Shape& shape, Vec3d p, double reach) {
  return shape.kind == ShapeKind::distance_grid ? grid_distance(p, shape.grid, reach)
                                                : signed_distance(shape, p);
}

NODIA_HD ShapeBounds bounds_of(const Shape& shape) {
  return with_row(shape.kind, [&](auto row) { return row.bounds(shape); });
}

NODIA_HD bool is_bounded(const Shape& shape) {
  return with_row(shape.kind, [](auto row) { return row.kIsBounded; });
}
/// ShapeRow::kHasFeet of the shape.
NODIA_HD bool has_feet(const Shape& shape) {
  return with_row(shape.kind, [](auto row) { return row.kHasFeet; });
}

/// True if the table contains the kind.
inline bool is_known(ShapeKind kind) {
  return with_row(kind, [](auto) { return true; });
}
/// Name of the kind in files.
inline const char* name_of(ShapeKind kind) {
  return with_row(kind, [](auto row) { return row.kName; });
}
inline std::span<const ShapeSize> sizes_of(ShapeKind kind) {
  return with_row(kind, [](auto row) { return std::span<const ShapeSize>(row.kSizes); });
}

}  // namespace nodia
