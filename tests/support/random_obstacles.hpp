/// Random nodes among obstacles of every kind; fixed seeds give fixed numbers.
#pragma once

#include <random>
#include <vector>

#include "host/collision/detection.hpp"
#include "host/collision/distance_grid.hpp"
#include "tests/support/triangle_meshes.hpp"

namespace nodia::test {

struct Nodes {
  std::vector<Vec3d> x, v;
  std::vector<Vec3d> v_free{};  ///< empty: v
  int size() const { return static_cast<int>(x.size()); }
  NodeMotions motions() const {
    return {x.data(), v.data(), v_free.empty() ? v.data() : v_free.data(), size()};
  }
};

class RandomScene {
 public:
  explicit RandomScene(std::uint64_t seed) : random_(seed) {}

  double uniform(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random_);
  }
  Vec3d vector(double half_width) {
    const double x = uniform(-half_width, half_width), y = uniform(-half_width, half_width);
    return {x, y, uniform(-half_width, half_width)};
  }
  Quaternion rotation() {
    const double w = uniform(-1, 1), x = uniform(-1, 1), y = uniform(-1, 1);
    return normalized({w, x, y, uniform(-1, 1)});
  }
  Nodes nodes(int n, double speed) {
    Nodes nodes;
    for (int i = 0; i < n; ++i) {
      nodes.x.push_back(vector(0.3));
      nodes.v.push_back(vector(speed));
      nodes.v_free.push_back(vector(speed));
    }
    return nodes;
  }
  /// Every kind of shape, resting or moving.
  std::vector<ObstaclePose> obstacles(const DistanceGrid& grid, bool moving) {
    const Shape shapes[] = {
        {ShapeKind::half_space, {}, 0, 0, {}},   {ShapeKind::box, {0.2, 0.1, 0.3}, 0, 0, {}},
        {ShapeKind::sphere, {}, 0.1, 0, {}},     {ShapeKind::cylinder, {}, 0.05, 0.3, {}},
        {ShapeKind::capsule, {}, 0.04, 0.2, {}}, {ShapeKind::distance_grid, {}, 0, 0, grid.view()}};
    std::vector<ObstaclePose> out;
    for (const Shape& shape : shapes) {
      ObstaclePose o{shape, {}, {}};
      const Quaternion q = rotation();
      o.now = {vector(0.2), rotation_matrix(q)};
      o.next = o.now;
      if (moving) {
        o.next.position += vector(0.01);
        o.next.rotation = rotation_matrix(slerp(q, rotation(), uniform(0, 0.1)));
      }
      out.push_back(o);
    }
    return out;
  }

 private:
  std::mt19937_64 random_;
};

/// An L of some centimetres.
inline DistanceGrid l_grid() {
  TriangleMesh mesh = test::l_mesh();
  for (Vec3d& p : mesh.vertices) p = 0.1 * p;
  return DistanceGrid(mesh, 0.02);
}

}  // namespace nodia::test
