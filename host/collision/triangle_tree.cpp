/// Construction and queries of the tree of triangles.
#include "host/collision/triangle_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "kernels/collision/closest_points.hpp"

namespace nodia {
namespace {

constexpr std::int32_t kLeafSize = 8;
constexpr double kRounding = OrientedBox::kRounding;

/// Orthonormal rows: the third is parallel to n, the first to the part of t normal to n.
/// @param n  not zero
Mat3d axes_along(Vec3d n, Vec3d t) {
  const Vec3d e3 = (1 / norm(n)) * n;
  Vec3d e1 = t - dot(t, e3) * e3;
  // A short remainder would have a large relative error.
  if (!(squared_norm(e1) > 0.01 * squared_norm(t))) {
    const Vec3d other = std::fabs(e3.x) < 0.5 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    e1 = other - dot(other, e3) * e3;
  }
  e1 = (1 / norm(e1)) * e1;
  return {{e1, cross(e3, e1), e3}};
}

/// Smallest box with these axes around the corners of triangles.
template <class Triangle>
OrientedBox box_around(std::span<const Triangle> triangles, const Mat3d& axes) {
  Bounds along;
  for (const Triangle& t : triangles)
    for (const Vec3d corner : {t.a, t.b, t.c}) along.add(axes * corner);
  OrientedBox box;
  box.axes = axes;
  box.centre = transpose_times(axes, 0.5 * (along.lo + along.hi));
  box.half = 0.5 * (along.hi - along.lo);
  const double margin = kRounding * (norm(along.lo) + norm(along.hi));
  box.half += Vec3d{margin, margin, margin};
  return box;
}

/// Box whose axes are the mean normal and the longest edge of the triangles. If the normals cancel
/// or the triangles have no area, its axes are those of the coordinates.
template <class Triangle>
OrientedBox box_of(std::span<const Triangle> triangles) {
  Vec3d normal{}, edge{};
  double area = 0;
  for (const Triangle& t : triangles) {
    const Vec3d n = cross(t.b - t.a, t.c - t.a);
    normal += n;
    area += norm(n);
    for (const Vec3d e : {t.b - t.a, t.c - t.b, t.a - t.c})
      if (squared_norm(e) > squared_norm(edge)) edge = e;
  }
  const bool is_patch = area > kRounding * squared_norm(edge) && norm(normal) > 0.5 * area;
  return box_around(triangles, is_patch ? axes_along(normal, edge) : Mat3d::identity());
}

}  // namespace

double squared_triangle_distance(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
  return closest_on_triangle(p, a, b, c).squared_distance;
}

TriangleTree::TriangleTree(const TriangleMesh& mesh) {
  triangles_.reserve(mesh.triangles.size());
  for (const auto& corners : mesh.triangles) {
    const auto vertex = [&](std::size_t k) {
      return mesh.vertices[static_cast<std::size_t>(corners[k])];
    };
    Triangle t{vertex(0), vertex(1), vertex(2),
               {},        {},        static_cast<std::int32_t>(triangles_.size())};
    t.bounds = bounds_of_points(t.a, t.b, t.c);
    t.box = box_of(std::span<const Triangle>(&t, 1));
    triangles_.push_back(t);
  }
  nodes_.reserve(triangles_.size());
  build(0, static_cast<std::int32_t>(triangles_.size()));
}

void TriangleTree::build(std::int32_t begin, std::int32_t end) {
  const std::size_t self = nodes_.size();
  Node& node = nodes_.emplace_back();
  const std::span<Triangle> own(triangles_.data() + begin, static_cast<std::size_t>(end - begin));
  node.box = box_of(std::span<const Triangle>(own));
  if (end - begin <= kLeafSize) {
    node.first = begin;
    node.count = end - begin;
    return;
  }
  const auto centre = [](const Triangle& t) { return t.a + t.b + t.c; };
  Bounds centres;
  for (const Triangle& t : own) centres.add(centre(t));
  const Vec3d extent = centres.hi - centres.lo;
  int axis = 0;
  if (extent.y > extent[axis]) axis = 1;
  if (extent.z > extent[axis]) axis = 2;
  const std::int32_t middle = (end - begin) / 2;
  std::nth_element(
      own.begin(), own.begin() + middle, own.end(),
      [&](const Triangle& s, const Triangle& t) { return centre(s)[axis] < centre(t)[axis]; });
  build(begin, begin + middle);
  nodes_[self].first = static_cast<std::int32_t>(nodes_.size());
  build(begin + middle, end);
}

TriangleTree::Nearest TriangleTree::nearest(Vec3d p, std::int32_t guess) const {
  struct Step {
    std::int32_t node;
    double bound;
  };
  Nearest best{HUGE_VAL, guess};
  const auto try_triangle = [&](std::int32_t place) {
    const Triangle& t = triangles_[static_cast<std::size_t>(place)];
    const double d2 =
        not_below(t.bounds.squared_distance(p), squared_triangle_distance(p, t.a, t.b, t.c));
    if (d2 < best.squared_distance) best = {d2, place};
  };
  const auto step_to = [&](std::int32_t i) {
    return Step{i, nodes_[static_cast<std::size_t>(i)].box.squared_distance(p)};
  };
  try_triangle(guess);
  std::array<Step, kMaxDepth> stack;
  std::size_t depth = 0;
  stack[depth++] = step_to(0);
  while (depth > 0) {
    const Step step = stack[--depth];
    if (!(step.bound <= best.squared_distance)) continue;
    const Node& node = nodes_[static_cast<std::size_t>(step.node)];
    for (std::int32_t place = node.first; place < node.first + node.count; ++place) {
      const OrientedBox& box = triangles_[static_cast<std::size_t>(place)].box;
      if (box.squared_distance(p) <= best.squared_distance) try_triangle(place);
    }
    if (node.count > 0) continue;
    Step near = step_to(step.node + 1), far = step_to(node.first);
    if (far.bound < near.bound) std::swap(near, far);
    if (far.bound <= best.squared_distance) stack[depth++] = far;
    if (near.bound <= best.squared_distance) stack[depth++] = near;
  }
  return best;
}

}  // namespace nodia
