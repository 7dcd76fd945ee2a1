#include "fem/mesh/meshers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "fem/mesh/mesh_quality.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Every edge of a closed oriented surface is walked once in each direction.
bool is_closed(const std::vector<std::array<std::int32_t, 3>>& faces) {
  std::set<std::array<std::int32_t, 2>> directed;
  for (const auto& f : faces) {
    for (int k = 0; k < 3; ++k) {
      if (!directed.insert({f[k], f[(k + 1) % 3]}).second) return false;
    }
  }
  return std::all_of(directed.begin(), directed.end(), [&](const auto& e) {
    return directed.count({e[1], e[0]}) == 1;
  });
}

/// Volume inside a closed surface by the divergence theorem [m^3].
double enclosed_volume(const TetMesh& mesh, const std::vector<std::array<std::int32_t, 3>>& faces) {
  double volume = 0;
  for (const auto& f : faces) {
    volume += dot(mesh.nodes[f[0]], cross(mesh.nodes[f[1]], mesh.nodes[f[2]])) / 6;
  }
  return volume;
}

double area(const TetMesh& mesh, const std::vector<std::array<std::int32_t, 3>>& faces) {
  double sum = 0;
  for (const auto& f : faces) {
    const Vec3d a = mesh.nodes[f[0]];
    sum += norm(cross(mesh.nodes[f[1]] - a, mesh.nodes[f[2]] - a)) / 2;
  }
  return sum;
}

bool same_mesh(const TetMesh& a, const TetMesh& b) {
  const auto same_point = [](Vec3d p, Vec3d q) { return p.x == q.x && p.y == q.y && p.z == q.z; };
  return std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), same_point) &&
         a.tets == b.tets && a.node_sets == b.node_sets;
}

/// What every mesh of the box [0, size] must satisfy.
void expect_box(const TetMesh& mesh, Vec3d size, double min_shape) {
  const MeshQuality quality = check_mesh(mesh);
  EXPECT_TRUE(quality.usable()) << quality.report();
  EXPECT_GE(quality.min_shape, min_shape);
  const double volume = size.x * size.y * size.z;
  EXPECT_NEAR(quality.volume_m3, volume, 1e-12 * volume);
  const auto faces = boundary_faces(mesh);
  EXPECT_TRUE(is_closed(faces));
  EXPECT_NEAR(enclosed_volume(mesh, faces), volume, 1e-12 * volume);
  const double box_area = 2 * (size.x * size.y + size.y * size.z + size.z * size.x);
  EXPECT_NEAR(area(mesh, faces), box_area, 1e-12 * box_area);
  ASSERT_EQ(mesh.node_sets.size(), 6u);
  const char* const names[3][2] = {{"x_min", "x_max"}, {"y_min", "y_max"}, {"z_min", "z_max"}};
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) {
      std::vector<std::int32_t> expected;
      for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
        if (mesh.nodes[i][axis] == (side == 0 ? 0 : size[axis])) {
          expected.push_back(static_cast<std::int32_t>(i));
        }
      }
      EXPECT_EQ(mesh.node_sets.at(names[axis][side]), expected) << names[axis][side];
      EXPECT_FALSE(expected.empty());
    }
  }
}

/// Largest difference of two node numbers in one tetrahedron.
int bandwidth(const TetMesh& mesh) {
  int width = 0;
  for (const auto& t : mesh.tets) {
    const auto [low, high] = std::minmax_element(t.begin(), t.end());
    width = std::max(width, *high - *low);
  }
  return width;
}

TEST(MeshBox, FillsTheBoxWithGoodTetrahedra) {
  for (const std::array<int, 3> cells :
       {std::array{1, 1, 1}, std::array{2, 1, 1}, std::array{3, 4, 5}, std::array{1, 6, 2}}) {
    const Vec3d size{0.1 * cells[0], 0.2 * cells[1], 0.15 * cells[2]};
    const TetMesh mesh = mesh_box(size, cells);
    EXPECT_EQ(mesh.nodes.size(), std::size_t(cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1));
    EXPECT_EQ(mesh.tets.size(), std::size_t(6) * cells[0] * cells[1] * cells[2]);
    expect_box(mesh, size, 0.5);
  }
}

TEST(MeshBox, MirroredCellsMakeTheMeshSymmetric) {
  const TetMesh mesh = mesh_box({1, 1, 1}, {2, 2, 2});
  const auto as_points = [&](int mirrored_axis) {
    std::set<std::set<std::array<double, 3>>> tets;
    for (const auto& t : mesh.tets) {
      std::set<std::array<double, 3>> points;
      for (const auto i : t) {
        Vec3d p = mesh.nodes[i];
        if (mirrored_axis >= 0) p[mirrored_axis] = 1 - p[mirrored_axis];
        points.insert({p.x, p.y, p.z});
      }
      tets.insert(points);
    }
    return tets;
  };
  for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(as_points(axis), as_points(-1));
}

TEST(MeshBox, LongestRowOfCellsIsSweptFirst) {
  EXPECT_LE(bandwidth(mesh_box({1, 1, 1}, {20, 2, 3})), 4 * 3 + 4 + 1);
  EXPECT_LE(bandwidth(mesh_box({1, 1, 1}, {2, 3, 20})), 4 * 3 + 4 + 1);
}

TEST(MeshBox, RefusesBadArguments) {
  EXPECT_THROW(mesh_box({0, 1, 1}, {1, 1, 1}), InputError);
  EXPECT_THROW(mesh_box({1, std::nan(""), 1}, {1, 1, 1}), InputError);
  EXPECT_THROW(mesh_box({1, 1, HUGE_VAL}, {1, 1, 1}), InputError);
  EXPECT_THROW(mesh_box({1, 1, 1}, {1, 0, 1}), InputError);
  EXPECT_THROW(mesh_box({1, 1, 1}, {100000, 100000, 100000}), InputError);
}

TEST(MeshMat, FillsTheBoxWithGoodTetrahedra) {
  const Vec3d size{0.3, 0.3, 0.006};
  // Elements of the coarsest sheet are 75 mm wide and 6 mm high.
  expect_box(mesh_mat(size, 50), size, 0.1);
  for (const int n : {120, 500, 1477, 6000}) {
    SCOPED_TRACE(n);
    expect_box(mesh_mat(size, n), size, 0.15);
  }
  expect_box(mesh_mat({0.1, 0.4, 0.01}, 900, 3), {0.1, 0.4, 0.01}, 0.15);
  expect_box(mesh_mat({0.3, 0.2, 0.1}, 3000, 0, 9), {0.3, 0.2, 0.1}, 0.15);
}

TEST(MeshMat, NodeCountIsWithinFivePercentOfTheRequest) {
  const Vec3d size{0.3, 0.3, 0.006};
  for (int n = 500; n < 30000; n += n / 7) {
    for (const int n_layer : {0, 1, 2, 4}) {
      const auto count = static_cast<double>(mesh_mat(size, n, n_layer).nodes.size());
      EXPECT_NEAR(count, n, 0.05 * n) << n_layer << " layers";
    }
    EXPECT_NEAR(static_cast<double>(mesh_mat({0.5, 0.1, 0.006}, n).nodes.size()), n, 0.05 * n);
  }
}

TEST(MeshMat, RefinementKeepsTheShapeOfTheElements) {
  const Vec3d size{0.3, 0.3, 0.006};
  for (const int n : {1477, 6000, 25000, 100000}) {
    const TetMesh mesh = mesh_mat(size, n);
    std::set<double> heights;
    for (const Vec3d& p : mesh.nodes) heights.insert(p.z);
    const double n_level = static_cast<double>(heights.size());
    const double in_plane = static_cast<double>(mesh.nodes.size()) / n_level;
    const double h = std::sqrt(size.x * size.y / in_plane / std::sqrt(0.75));
    const double shape = h / (size.z / (n_level - 1));
    EXPECT_GT(shape, 1.4) << n;
    EXPECT_LT(shape, 2.8) << n;
  }
}

TEST(MeshMat, SameSeedSameMeshOtherSeedOtherPoints) {
  const Vec3d size{0.3, 0.3, 0.006};
  EXPECT_TRUE(same_mesh(mesh_mat(size, 700), mesh_mat(size, 700)));
  EXPECT_FALSE(same_mesh(mesh_mat(size, 700), mesh_mat(size, 700, 0, 2)));
}

TEST(MeshMat, InnerPointsAreOffTheLattice) {
  const TetMesh mesh = mesh_mat({0.3, 0.3, 0.006}, 1477, 1);
  std::set<double> x;
  for (const Vec3d& p : mesh.nodes) x.insert(p.x);
  EXPECT_GT(x.size(), mesh.nodes.size() / 3);
}

TEST(MeshMat, SweepKeepsTheBandwidthSmall) {
  const TetMesh mesh = mesh_mat({0.3, 0.3, 0.006}, 25000);
  EXPECT_LT(bandwidth(mesh), 3 * std::pow(static_cast<double>(mesh.nodes.size()), 2.0 / 3.0));
}

TEST(MeshMat, RefusesBadArguments) {
  EXPECT_THROW(mesh_mat({0.3, -0.3, 0.006}, 500), InputError);
  EXPECT_THROW(mesh_mat({0.3, 0.3, 0.006}, 0), InputError);
  EXPECT_THROW(mesh_mat({0.3, 0.3, 0.006}, std::numeric_limits<int>::max()), InputError);
  EXPECT_THROW(mesh_mat({0.3, 0.3, 0.006}, 500, -1), InputError);
  EXPECT_THROW(mesh_mat({0.3, 0.3, 0.006}, 500, 400), InputError);
}

TEST(MeshMat, ExtremeShapesStayUsable) {
  for (const Vec3d size : {Vec3d{1, 1e-3, 1e-3}, Vec3d{1e-3, 1e-3, 1}, Vec3d{1e-6, 1, 1e-6}}) {
    const TetMesh mesh = mesh_mat(size, 400);
    const MeshQuality quality = check_mesh(mesh);
    EXPECT_TRUE(quality.inverted_tets.empty());
    EXPECT_TRUE(quality.duplicate_tets.empty());
    EXPECT_TRUE(is_closed(boundary_faces(mesh)));
  }
}

TEST(MeshBall, RoundAndSound) {
  const double radius = 0.05;
  for (const int n : {7, 50, 100, 1000, 8000}) {
    SCOPED_TRACE(n);
    const TetMesh mesh = mesh_ball(radius, n);
    const MeshQuality quality = check_mesh(mesh);
    EXPECT_TRUE(quality.usable()) << quality.report();
    EXPECT_GE(quality.min_shape, 0.3);
    const auto faces = boundary_faces(mesh);
    EXPECT_TRUE(is_closed(faces));
    EXPECT_NEAR(enclosed_volume(mesh, faces), quality.volume_m3, 1e-12 * quality.volume_m3);
    std::set<std::int32_t> outer;
    for (const auto& f : faces) outer.insert(f.begin(), f.end());
    EXPECT_EQ(mesh.node_sets.at("surface"), std::vector<std::int32_t>(outer.begin(), outer.end()));
    // Euler's formula for one sphere.
    EXPECT_EQ(faces.size(), 2 * outer.size() - 4);
    for (const auto i : outer) EXPECT_NEAR(norm(mesh.nodes[i]), radius, 1e-15);
  }
}

TEST(MeshBall, NodeCountIsWithinTwentyPercentOfTheRequest) {
  for (int n = 50; n < 20000; n += std::max(1, n / 11)) {
    EXPECT_NEAR(static_cast<double>(mesh_ball(1, n).nodes.size()), n, 0.2 * n);
  }
}

TEST(MeshBall, VolumeConvergesToTheBallsAtSecondOrder) {
  const double exact = 4.0 / 3.0 * M_PI;
  const double coarse = exact - check_mesh(mesh_ball(1, 561)).volume_m3;  // icosahedron, 5 shells
  const double fine = exact - check_mesh(mesh_ball(1, 3871)).volume_m3;   // 10 shells
  EXPECT_GT(fine, 0);
  EXPECT_NEAR(coarse / fine, 4, 0.2);
}

TEST(MeshBall, RefusesBadArguments) {
  EXPECT_THROW(mesh_ball(0, 100), InputError);
  EXPECT_THROW(mesh_ball(std::nan(""), 100), InputError);
  EXPECT_THROW(mesh_ball(1, 6), InputError);
  EXPECT_THROW(mesh_ball(1, std::numeric_limits<int>::max()), InputError);
}

}  // namespace
}  // namespace nodia
