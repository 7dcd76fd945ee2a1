/// Lists the neighbours of a union of shapes.
#include <algorithm>

#include "host/collision/index.hpp"
#include "host/collision/shape_points.hpp"
#include "host/collision/shape_union.hpp"

namespace nodia {
namespace {

double delta_of(const ShapeBody& a, const ShapeBody& b) {
  constexpr double kLongest = 4e-5;  // [m]
  constexpr double kShare = 0.01;
  return std::min(kLongest, kShare * std::min(smallest_size(a.bounds), smallest_size(b.bounds)));
}

/// True if a half-space and a shape touch, and the shape has an edge that may be flush with the
/// plane. A smooth shape has none, nor has one that stands on the plane or in it.
bool is_flush_with_plane(const Pose& plane, const ShapeBody& shape, const Pose& pose,
                         double delta) {
  const Bounds box = seen_from(plane, {shape.bounds.lo, shape.bounds.hi}, pose);
  if (!(box.lo.z <= delta)) return false;
  if (!(near_edge(shape.surface.shape) > 0)) return false;
  constexpr double kUpright = 1e-6;  // sine
  const Mat3d turned = transpose(plane.rotation) * pose.rotation;
  const bool stands = [&] {
    const Vec3d up = turned.row[2];
    if (shape.surface.shape.kind == ShapeKind::box)
      return std::max({std::fabs(up.x), std::fabs(up.y), std::fabs(up.z)}) > 1 - kUpright;
    return shape.surface.shape.kind == ShapeKind::cylinder && std::fabs(up.z) > 1 - kUpright;
  }();
  constexpr double kFlush = 4;  // of delta: clearly above what counts as flush
  return !(stands && box.hi.z > kFlush * delta);
}

bool are_neighbours(const ShapeBody& a, const Pose& pose_a, const ShapeBody& b, const Pose& pose_b,
                    double delta) {
  const bool a_is_plane = !is_bounded(a.surface.shape), b_is_plane = !is_bounded(b.surface.shape);
  // The space outside two half-spaces is convex: their contacts do not contradict each other.
  if (a_is_plane && b_is_plane) return false;
  if (a_is_plane) return is_flush_with_plane(pose_a, b, pose_b, delta);
  if (b_is_plane) return is_flush_with_plane(pose_b, a, pose_a, delta);
  const auto overlap = [&](const ShapeBody& i, const Pose& pose_i, const ShapeBody& j,
                           const Pose& pose_j) {
    return Bounds{i.bounds.lo, i.bounds.hi}.grown(delta).overlaps(
        seen_from(pose_i, {j.bounds.lo, j.bounds.hi}, pose_j));
  };
  return overlap(a, pose_a, b, pose_b) && overlap(b, pose_b, a, pose_a);
}

}  // namespace

void ShapeUnion::set(const std::vector<Body>& bodies) {
  placed_.assign(bodies.size(), {});
  shapes_.clear();
  has_prescribed_ = false;
  const auto n = static_cast<std::int32_t>(bodies.size());
  const auto start_of = [](const ShapeBody& shape) { return shape.pose_at(shape.surface.start); };
  for (std::int32_t a = 0; a < n; ++a) {
    const ShapeBody* shape_a = shape_at(bodies, a);
    if (shape_a == nullptr) continue;
    for (std::int32_t b = a + 1; b < n; ++b) {
      const ShapeBody* shape_b = shape_at(bodies, b);
      if (shape_b == nullptr) continue;
      const ShapeSurface &own = shape_a->surface, &other = shape_b->surface;
      const bool on_one_frame = own.frame == other.frame;
      if (!on_one_frame &&
          !(own.prescribed && other.prescribed && own.unit >= 0 && own.unit == other.unit)) {
        continue;
      }
      const double delta = delta_of(*shape_a, *shape_b);
      if (!are_neighbours(*shape_a, start_of(*shape_a), *shape_b, start_of(*shape_b), delta)) {
        continue;
      }
      const auto add = [&](std::int32_t i, const ShapeSurface& from, std::int32_t j,
                           const ShapeSurface& to) {
        Neighbour neighbour;
        neighbour.surface = j;
        neighbour.delta_m = delta;
        neighbour.relative = relative_to(from.start, to.start);
        neighbour.on_one_frame = on_one_frame;
        placed_[at(i)].neighbours.push_back(neighbour);
      };
      add(a, own, b, other);
      add(b, other, a, own);
      has_prescribed_ = has_prescribed_ || own.prescribed;
    }
  }
  // Lists are ascending: shape i gets its neighbours j < i in the rounds a = j, then those above.
  for (std::int32_t a = 0; a < n; ++a)
    if (has_neighbours(a)) shapes_.push_back(a);
  for (const std::int32_t first : shapes_) {
    if (placed_[at(first)].group >= 0) continue;
    std::vector<std::int32_t> open{first};
    placed_[at(first)].group = first;
    while (!open.empty()) {
      const std::int32_t shape = open.back();
      open.pop_back();
      for (const Neighbour& k : placed_[at(shape)].neighbours) {
        if (placed_[at(k.surface)].group >= 0) continue;
        placed_[at(k.surface)].group = first;
        open.push_back(k.surface);
      }
    }
  }
}

}  // namespace nodia
