#include "host/collision/triangle_tree.hpp"

#include "kernels/collision/closest_points.hpp"

namespace nodia {

double squared_triangle_distance(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
  return closest_on_triangle(p, a, b, c).squared_distance;
}

TriangleTree::TriangleTree(const TriangleMesh& mesh) {
  const auto corners_of = [&](std::int32_t t) {
    const auto& triangle = mesh.triangles[static_cast<std::size_t>(t)];
    const auto vertex = [&](int k) {
      return mesh.vertices[static_cast<std::size_t>(triangle[static_cast<std::size_t>(k)])];
    };
    return Corners{vertex(0), vertex(1), vertex(2)};
  };
  const auto n_triangle = static_cast<std::int32_t>(mesh.triangles.size());
  std::vector<Bounds> boxes;
  boxes.reserve(mesh.triangles.size());
  for (std::int32_t t = 0; t < n_triangle; ++t) {
    const Corners c = corners_of(t);
    boxes.push_back(bounds_of_points(c.a, c.b, c.c));
  }
  tree_ = BoundsTree(boxes);
  corners_.reserve(boxes.size());
  for (std::int32_t place = 0; place < n_triangle; ++place) {
    corners_.push_back(corners_of(tree_.item(place)));
  }
}

TriangleTree::Nearest TriangleTree::nearest(Vec3d p, std::int32_t guess) const {
  const auto to_triangle = [&](std::int32_t place) {
    const Corners& c = corners_[static_cast<std::size_t>(place)];
    return squared_triangle_distance(p, c.a, c.b, c.c);
  };
  const BoundsTree::Nearest found = tree_.nearest(p, {to_triangle(guess), guess}, to_triangle);
  return {found.squared_distance, found.place};
}

}  // namespace nodia
