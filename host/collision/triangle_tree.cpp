#include "host/collision/triangle_tree.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <tuple>

namespace nodia {
namespace {

constexpr std::ptrdiff_t kLeafSize = 4;
constexpr int kMaxDepth = 64;  // medians halve the count: 2^31 triangles need 31 levels

double squared_segment_distance(Vec3d p, Vec3d a, Vec3d b) {
  const Vec3d ab = b - a;
  const double length2 = squared_norm(ab);
  const double along = dot(p - a, ab);
  const double t = length2 > 0 ? std::clamp(along / length2, 0.0, 1.0) : 0.0;
  return squared_norm(p - (a + t * ab));
}

double squared_box_distance(Vec3d p, Vec3d lo, Vec3d hi) {
  const Vec3d d{std::max({lo.x - p.x, p.x - hi.x, 0.0}), std::max({lo.y - p.y, p.y - hi.y, 0.0}),
                std::max({lo.z - p.z, p.z - hi.z, 0.0})};
  return squared_norm(d);
}

Vec3d least(Vec3d a, Vec3d b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}

Vec3d greatest(Vec3d a, Vec3d b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

}  // namespace

double squared_triangle_distance(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
  // Every candidate is the distance to a point of the triangle, so a rounded one is never too
  // small.
  double best = std::min({squared_segment_distance(p, a, b), squared_segment_distance(p, b, c),
                          squared_segment_distance(p, c, a)});
  const Vec3d n = cross(b - a, c - a);
  const double wa = dot(n, cross(c - b, p - b));
  const double wb = dot(n, cross(a - c, p - c));
  const double wc = dot(n, cross(b - a, p - a));
  const double sum = wa + wb + wc;
  if (wa >= 0 && wb >= 0 && wc >= 0 && sum > 0) {
    const Vec3d foot = a + (wb / sum) * (b - a) + (wc / sum) * (c - a);
    best = std::min(best, squared_norm(p - foot));
  }
  return best;
}

TriangleTree::TriangleTree(const TriangleMesh& mesh) {
  std::vector<Corners> corners;
  corners.reserve(mesh.triangles.size());
  const auto vertex = [&](std::int32_t i) { return mesh.vertices[static_cast<std::size_t>(i)]; };
  for (const auto& t : mesh.triangles) {
    corners.push_back({vertex(t[0]), vertex(t[1]), vertex(t[2])});
  }
  std::vector<std::int32_t> order(corners.size());
  std::iota(order.begin(), order.end(), 0);
  corners_.reserve(corners.size());
  build(corners, order.data(), order.data() + order.size());
}

void TriangleTree::build(const std::vector<Corners>& corners, std::int32_t* begin,
                         std::int32_t* end) {
  const auto corners_of = [&](std::int32_t t) -> const Corners& {
    return corners[static_cast<std::size_t>(t)];
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Node node{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}, 0, 0};
  for (const std::int32_t* t = begin; t != end; ++t) {
    const Corners& c = corners_of(*t);
    node.lo = least(node.lo, least(c.a, least(c.b, c.c)));
    node.hi = greatest(node.hi, greatest(c.a, greatest(c.b, c.c)));
  }
  if (end - begin <= kLeafSize) {
    node.first = static_cast<std::int32_t>(corners_.size());
    node.count = static_cast<std::int32_t>(end - begin);
    for (const std::int32_t* t = begin; t != end; ++t) corners_.push_back(corners_of(*t));
    nodes_.push_back(node);
    return;
  }
  const Vec3d extent = node.hi - node.lo;
  int axis = 0;
  if (extent.y > extent[axis]) axis = 1;
  if (extent.z > extent[axis]) axis = 2;
  std::int32_t* middle = begin + (end - begin) / 2;
  std::nth_element(begin, middle, end, [&](std::int32_t s, std::int32_t t) {
    const auto centre = [&](std::int32_t i) {
      const Corners& c = corners_of(i);
      return c.a[axis] + c.b[axis] + c.c[axis];
    };
    return std::make_tuple(centre(s), s) < std::make_tuple(centre(t), t);
  });
  const std::size_t self = nodes_.size();
  nodes_.push_back(node);
  build(corners, begin, middle);
  nodes_[self].first = static_cast<std::int32_t>(nodes_.size());
  build(corners, middle, end);
}

TriangleTree::Nearest TriangleTree::nearest(Vec3d p, std::int32_t guess) const {
  struct Visit {
    std::int32_t node;
    double squared_distance;
  };
  const auto to_triangle = [&](std::int32_t place) {
    const Corners& c = corners_[static_cast<std::size_t>(place)];
    return squared_triangle_distance(p, c.a, c.b, c.c);
  };
  Nearest best{to_triangle(guess), guess};
  std::array<Visit, kMaxDepth> stack;
  std::size_t depth = 0;
  stack[depth++] = {0, 0};
  while (depth > 0) {
    const Visit visit = stack[--depth];
    if (visit.squared_distance >= best.squared_distance) continue;
    const Node& node = nodes_[static_cast<std::size_t>(visit.node)];
    for (std::int32_t place = node.first; place < node.first + node.count; ++place) {
      const double d2 = to_triangle(place);
      if (d2 < best.squared_distance) best = {d2, place};
    }
    if (node.count > 0) continue;
    const auto child = [&](std::int32_t i) {
      const Node& c = nodes_[static_cast<std::size_t>(i)];
      return Visit{i, squared_box_distance(p, c.lo, c.hi)};
    };
    Visit near = child(visit.node + 1);
    Visit far = child(node.first);
    if (far.squared_distance < near.squared_distance) std::swap(near, far);
    if (far.squared_distance < best.squared_distance) stack[depth++] = far;
    if (near.squared_distance < best.squared_distance) stack[depth++] = near;
  }
  return best;
}

}  // namespace nodia
