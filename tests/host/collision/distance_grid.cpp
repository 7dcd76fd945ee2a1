#include "host/collision/distance_grid.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>

#include "kernels/core/error.hpp"
#include "kernels/core/pose.hpp"
#include "tests/support/random_obstacles.hpp"
#include "tests/support/triangle_meshes.hpp"

namespace nodia {
namespace {

using test::box_mesh;
using test::l_mesh;
using test::RandomScene;
using test::sphere_mesh;
using test::torus_mesh;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Vec3d sample_point(const DistanceGridView& grid, int i, int j, int k) {
  return grid.origin + grid.spacing * Vec3d{static_cast<double>(i), static_cast<double>(j),
                                            static_cast<double>(k)};
}

double sample_value(const DistanceGridView& grid, int i, int j, int k) {
  return grid.value[(static_cast<std::ptrdiff_t>(k) * grid.n[1] + j) * grid.n[0] + i];
}

/// Calls f(point, value) at every sample.
template <class Function>
void for_each_sample(const DistanceGridView& grid, const Function& f) {
  for (int k = 0; k < grid.n[2]; ++k) {
    for (int j = 0; j < grid.n[1]; ++j) {
      for (int i = 0; i < grid.n[0]; ++i) {
        f(sample_point(grid, i, j, k), sample_value(grid, i, j, k));
      }
    }
  }
}

void expect_samples_are_brute_force(const TriangleMesh& mesh, double spacing) {
  const DistanceGrid grid(mesh, spacing);
  int n_inside = 0;
  for_each_sample(grid.view(), [&](Vec3d p, double value) {
    const double expected = brute_force_distance(mesh, p);
    n_inside += value < 0 ? 1 : 0;
    // On the surface itself the sign is free.
    if (std::fabs(expected) < 1e-12) {
      ASSERT_LT(std::fabs(value), 1e-12);
    } else {
      ASSERT_NEAR(value, expected, 1e-14) << p.x << " " << p.y << " " << p.z;
    }
  });
  EXPECT_GT(n_inside, 0);
}

TriangleMesh turned(TriangleMesh mesh) {
  const Pose pose{{0.1, 0.2, 0.3}, rotation_matrix(normalized({0.9, 0.3, -0.2, 0.4}))};
  for (Vec3d& p : mesh.vertices) p = pose.to_world(p);
  return mesh;
}

/// A plate turned about an axis that is none of its own.
TriangleMesh turned_plate(Vec3d size) {
  TriangleMesh mesh = box_mesh(-0.5 * size, 0.5 * size);
  const Mat3d turn = rotation_matrix(normalized(Quaternion{0.9, 0.2, -0.3, 0.4}));
  for (Vec3d& p : mesh.vertices) p = turn * p;
  return mesh;
}

TEST(BruteForceDistance, IsThatOfABox) {
  const TriangleMesh mesh = test::box_mesh({-0.5, -1, -1.5}, {0.5, 1, 1.5});
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> coordinate(-2, 2);
  for (int trial = 0; trial < 2000; ++trial) {
    const double x = coordinate(random), y = coordinate(random), z = coordinate(random);
    const Vec3d p{x, y, z};
    EXPECT_NEAR(brute_force_distance(mesh, p), box_distance(p, {1, 2, 3}).distance, 1e-14);
  }
}

TEST(DistanceGrid, SamplesOfConcaveMeshesAreThoseOfBruteForce) {
  {
    SCOPED_TRACE("torus");
    expect_samples_are_brute_force(test::torus_mesh(1, 0.4, 13, 11), 0.17);
  }
  {
    SCOPED_TRACE("turned torus");
    expect_samples_are_brute_force(turned(test::torus_mesh(1, 0.4, 13, 11)), 0.17);
  }
  {
    SCOPED_TRACE("L");
    expect_samples_are_brute_force(test::l_mesh(), 0.19);
  }
  {
    SCOPED_TRACE("turned L");
    expect_samples_are_brute_force(turned(test::l_mesh()), 0.19);
  }
}

TEST(DistanceGrid, LinesThroughVerticesAndEdgesDoNotLeak) {
  // Spacings that put grid lines on vertices, edges and faces, exactly and almost.
  for (const double spacing : {0.5, 0.25, 0.125, 0.1, 0.2, 1 / 3.0}) {
    SCOPED_TRACE(spacing);
    expect_samples_are_brute_force(test::l_mesh(), spacing);
    expect_samples_are_brute_force(test::box_mesh({0, 0, 0}, {1, 1, 1}), spacing);
    expect_samples_are_brute_force(test::sphere_mesh(1, 8, 6), spacing);
  }
}

TEST(DistanceGrid, ShellsInsideAndBesideAreUnderstood) {
  TriangleMesh mesh = test::box_mesh({-1, -1, -1}, {1, 1, 1});
  TriangleMesh cavity = test::box_mesh({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
  test::flip(&cavity);
  test::append(&mesh, cavity);
  test::append(&mesh, test::box_mesh({1.5, -1, -1}, {2, 1, 1}));
  const DistanceGrid grid(mesh, 0.13);
  const auto distance = [&](Vec3d p) { return grid_distance(p, grid.view()).distance; };
  EXPECT_NEAR(distance({0, 0, 0}), 0.5, 0.1);
  EXPECT_NEAR(distance({0.75, 0, 0}), -0.25, 0.07);
  EXPECT_NEAR(distance({1.25, 0, 0}), 0.25, 0.07);
  EXPECT_NEAR(distance({1.75, 0, 0}), -0.25, 0.07);
}

TEST(DistanceGrid, TrianglesWithoutAreaAreAllowed) {
  // A box whose bottom edge 0-1 has a vertex in its middle, used on one side by a triangle without
  // area.
  TriangleMesh mesh = test::box_mesh({0, 0, 0}, {1, 1, 1});
  mesh.vertices.push_back({0.5, 0, 0});
  mesh.triangles[4] = {0, 8, 5};  // was {0, 1, 5}
  mesh.triangles.push_back({8, 1, 5});
  mesh.triangles.push_back({0, 1, 8});
  expect_samples_are_brute_force(mesh, 0.1);
  expect_samples_are_brute_force(turned(mesh), 0.13);
}

TEST(DistanceGrid, InterpolatesABoxExactlyOffItsEdges) {
  const Vec3d size{1, 1, 1};
  const TriangleMesh mesh = test::box_mesh(-0.5 * size, 0.5 * size);
  const DistanceGrid grid(mesh, 0.05);
  for (const double depth : {-0.1, -0.013, 0.0, 0.021, 0.1}) {
    const SurfaceDistance at = grid_distance({0.03, -0.11, 0.5 + depth}, grid.view());
    EXPECT_NEAR(at.distance, depth, 1e-14);
    EXPECT_NEAR(at.normal.z, 1, 1e-12);
  }
}

TEST(DistanceGrid, ErrorForASphereIsOfSecondOrderInTheSpacing) {
  // A mesh far finer than the grids: what is left is the interpolation's error.
  const TriangleMesh mesh = test::sphere_mesh(1, 160, 80);
  const auto largest_error = [&](double spacing) {
    const DistanceGrid grid(mesh, spacing);
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> radius(0.7, 1.2);
    double largest = 0;
    for (int trial = 0; trial < 3000; ++trial) {
      const double x = normal(random), y = normal(random), z = normal(random);
      const double r = radius(random);
      const Vec3d p = (r / norm(Vec3d{x, y, z})) * Vec3d{x, y, z};
      const DistanceGridView view = grid.view();
      const double distance = interpolated_distance(view, place_in(view, p)).distance;
      largest = std::max(largest, std::fabs(distance - (r - 1)));
    }
    return largest;
  };
  const double coarse = largest_error(0.2), fine = largest_error(0.1);
  EXPECT_LT(coarse, 0.02);
  EXPECT_GT(coarse / fine, 3);
}

/// Two boxes that overlap, as two closed shells.
TriangleMesh overlapping_boxes() {
  TriangleMesh mesh = box_mesh({-1, -0.4, -0.3}, {0.3, 0.4, 0.3});
  test::append(&mesh, box_mesh({-0.2, -0.25, -0.5}, {1, 0.35, 0.2}));
  return mesh;
}

/// Calls f(point, place) for random points about points of the mesh's triangles, vertices and
/// edges, up to `reach` away.
template <class Function>
void for_points_near(const TriangleMesh& mesh, double reach, int n, const Function& f) {
  RandomScene random(7);
  for (int k = 0; k < n; ++k) {
    const auto& t = mesh.triangles[static_cast<std::size_t>(k) % mesh.triangles.size()];
    Vec3d w{random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1)};
    if (k % 3 == 1) w.z = 0;        // on an edge
    if (k % 9 == 2) w = {1, 0, 0};  // at a vertex
    const double sum = w.x + w.y + w.z;
    Vec3d p{};
    for (int c = 0; c < 3; ++c)
      p += (w[c] / sum) * mesh.vertices[static_cast<std::size_t>(t[static_cast<std::size_t>(c)])];
    f(p + random.vector(reach));
  }
}

TEST(DistanceGrid, IsExactNearTheSurfaceWhateverTheSpacing) {
  for (const TriangleMesh& mesh :
       {turned(test::l_mesh()), torus_mesh(1, 0.3, 24, 12), turned(torus_mesh(1, 0.06, 40, 6)),
        sphere_mesh(1, 30, 15), turned_plate({1, 0.7, 0.02})}) {
    const double smallest = smallest_extent(mesh);
    for (const double spacing : {smallest / 2, smallest / 7}) {
      SCOPED_TRACE(spacing);
      const DistanceGrid grid(mesh, spacing);
      for (const double reach : {1e-12, 1e-6, 0.55 * spacing}) {
        for_points_near(mesh, reach, 600, [&](Vec3d p) {
          const double expected = brute_force_distance(mesh, p);
          const SurfaceDistance found = grid_distance(p, grid.view());
          ASSERT_NEAR(std::fabs(found.distance), std::fabs(expected), 1e-9 * spacing + 1e-14);
          if (std::fabs(expected) > 1e-11) {
            ASSERT_EQ(found.distance < 0, expected < 0);
            const Vec3d foot = p - found.distance * found.normal;
            ASSERT_LT(std::fabs(brute_force_distance(mesh, foot)),
                      1e-7 * std::fabs(expected) + 1e-12);
          }
          ASSERT_NEAR(norm(found.normal), 1, 1e-12);
        });
      }
    }
  }
}

/// The centre of a ball on a mesh is a radius away from it. At nearly equal distances to two places
/// the farther one may be found.
TEST(DistanceGrid, LeadsFromFarPointsToTheClosestOnes) {
  for (const TriangleMesh& mesh : {turned(test::l_mesh()), torus_mesh(1, 0.3, 24, 12),
                                   sphere_mesh(1, 30, 15), turned_plate({1, 0.7, 0.05})}) {
    const DistanceGrid grid(mesh, smallest_extent(mesh) / 7);
    int n = 0, n_exact = 0;
    for_points_near(mesh, 0.5, 3000, [&](Vec3d p) {
      const double expected = brute_force_distance(mesh, p);
      const double found = grid_distance(p, grid.view()).distance;
      ASSERT_EQ(found < 0, expected < 0);
      ASSERT_GT(std::fabs(found), std::fabs(expected) - grid.view().spacing);
      const double within = grid_distance(p, grid.view(), 0.2).distance;
      if (std::fabs(found) < 0.2) {
        ASSERT_EQ(within, found);
      } else {
        ASSERT_GT(std::fabs(within), 0.2 - grid.view().spacing);
      }
      ++n;
      n_exact += std::fabs(found - expected) < 1e-9 ? 1 : 0;
    });
    EXPECT_GT(n_exact, 0.99 * n);
  }
}

/// Rounding may put a point on an edge closer to a face: the normal is in the normal cone.
TEST(DistanceGrid, NormalsAtEdgesAreBetweenThoseOfTheFaces) {
  const TriangleMesh mesh = box_mesh({-1, -1, -1}, {1, 1, 1});
  const DistanceGrid grid(mesh, 0.13);
  RandomScene random(3);
  for (int k = 0; k < 100; ++k) {
    const Vec3d at_edge = Vec3d{1, random.uniform(-0.9, 0.9), 1} + random.vector(1e-13);
    const Vec3d normal = grid_distance(at_edge, grid.view()).normal;
    EXPECT_TRUE(normal.x >= 0 && normal.z >= 0 && std::fabs(normal.y) < 1e-9);
    const Vec3d at_corner = Vec3d{-1, 1, -1} + random.vector(1e-13);
    const Vec3d at_it = grid_distance(at_corner, grid.view()).normal;
    EXPECT_TRUE(at_it.x <= 0 && at_it.y >= 0 && at_it.z <= 0);
    const Vec3d on_face{random.uniform(-0.9, 0.9), random.uniform(-0.9, 0.9), 1 + 1e-15};
    EXPECT_EQ(grid_distance(on_face, grid.view()).normal.z, 1);
  }
}

TEST(DistanceGrid, ShellsThatOverlapKeepTheSignOfTheWindingNumber) {
  const TriangleMesh mesh = overlapping_boxes();
  const double spacing = 0.05;
  const DistanceGrid grid(mesh, spacing);
  for_points_near(mesh, 0.1, 3000, [&](Vec3d p) {
    const double expected = brute_force_distance(mesh, p);
    const double found = grid_distance(p, grid.view()).distance;
    ASSERT_NEAR(found, expected, spacing);
    if (std::fabs(expected) > spacing) {
      ASSERT_EQ(found < 0, expected < 0);
    }
  });
}

TEST(DistanceGrid, EdgesAreTheBentConvexOnes) {
  EXPECT_EQ(DistanceGrid(box_mesh({-1, -1, -1}, {1, 1, 1}), 0.3).view().features->edges.size(),
            12U);
  // The L has one concave edge beside 17 convex ones.
  EXPECT_EQ(DistanceGrid(test::l_mesh(), 0.3).view().features->edges.size(), 17U);
  const TriangleMesh ring = torus_mesh(1, 0.3, 24, 12);
  const DistanceGrid grid(ring, 0.1);
  const MeshFeatures& features = *grid.view().features;
  for (std::size_t e = 0; e < features.edges.size(); ++e) {
    const SolidEdge& edge = features.edges[e];
    const auto& end = features.edge_ends[e];
    EXPECT_EQ(norm(edge.a - grid.points()[static_cast<std::size_t>(end[0])].centre), 0);
    EXPECT_EQ(norm(edge.b - grid.points()[static_cast<std::size_t>(end[1])].centre), 0);
    const Vec3d middle = 0.5 * (edge.a + edge.b), out = edge.normal[0] + edge.normal[1];
    EXPECT_GT(brute_force_distance(ring, middle + 1e-3 * out), 0);
    EXPECT_LT(brute_force_distance(ring, middle - 1e-3 * out), 0);
  }
}

TEST(DistanceGrid, HoldsItsPaddingAndIsPositiveOnItsOuterFaces) {
  const DistanceGrid grid(test::l_mesh(), 0.3, 2);
  const DistanceGridView view = grid.view();
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_LE(view.origin[axis], -2 * 0.3 + 1e-12);
    const double extent = axis == 2 ? 1 : 3;
    EXPECT_GE(view.origin[axis] + (view.n[axis] - 1) * view.spacing, extent + 2 * 0.3 - 1e-12);
  }
  for (int k = 0; k < view.n[2]; ++k) {
    for (int j = 0; j < view.n[1]; ++j) {
      for (int i = 0; i < view.n[0]; ++i) {
        const bool outer = i == 0 || j == 0 || k == 0 || i == view.n[0] - 1 || j == view.n[1] - 1 ||
                           k == view.n[2] - 1;
        if (outer) {
          EXPECT_GT(sample_value(view, i, j, k), 0);
        }
      }
    }
  }
}

TEST(DistanceGrid, ACopyOwnsItsSamples) {
  auto original = std::make_unique<DistanceGrid>(test::l_mesh(), 0.3);
  const DistanceGrid copy = *original;
  const double value = original->view().value[7];
  EXPECT_NE(copy.view().value, original->view().value);
  original.reset();
  EXPECT_EQ(copy.view().value[7], value);
}

TEST(DistanceGrid, RejectsBadSpacings) {
  const TriangleMesh mesh = test::l_mesh();
  for (const double bad : {0., -0.1, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT([&] { DistanceGrid(mesh, bad); },
                ThrowsMessage<InputError>(HasSubstr("spacing_m = ")));
  }
  EXPECT_THAT([&] { DistanceGrid(mesh, 1e-6); }, ThrowsMessage<InputError>(HasSubstr("2^28")));
  EXPECT_THAT([&] { DistanceGrid(mesh, 1e-300); }, ThrowsMessage<InputError>(HasSubstr("2^28")));
  EXPECT_THAT([&] { DistanceGrid(mesh, 0.1, 0); },
              ThrowsMessage<InputError>(HasSubstr("padding = 0")));
}

TEST(DistanceGrid, SmallestExtentIsThatOfTurnedPlatesToo) {
  EXPECT_NEAR(smallest_extent(box_mesh({0, 0, 0}, {3, 2, 1})), 1, 1e-12);
  EXPECT_NEAR(smallest_extent(turned_plate({3, 2, 0.1})), 0.1, 1e-9);
}

TEST(DistanceGrid, RefusesSpacingsCoarserThanHalfTheSmallestExtent) {
  const TriangleMesh cube = box_mesh({-0.05, -0.05, -0.05}, {0.05, 0.05, 0.05});
  EXPECT_NO_THROW(DistanceGrid(cube, 0.05));
  for (const double spacing_m : {0.051, 0.09, 0.11, 1.0, 1e6})
    EXPECT_THROW(DistanceGrid(cube, spacing_m), InputError) << spacing_m;
  EXPECT_THROW(DistanceGrid(turned_plate({0.3, 0.2, 0.01}), 0.006), InputError);
}

TEST(DistanceGrid, DefaultSpacingFitsThickAndThinMeshes) {
  EXPECT_NEAR(default_grid_spacing(box_mesh({0, 0, 0}, {0.64, 0.5, 0.4})), 0.01, 1e-12);
  EXPECT_NEAR(default_grid_spacing(box_mesh({0, 0, 0}, {0.64, 0.5, 0.02})), 0.005, 1e-12);
  const TriangleMesh sheet = box_mesh({0, 0, 0}, {10, 10, 0.001});
  EXPECT_NEAR(default_grid_spacing(sheet), 0.0005, 1e-12);  // a fine grid would be too large
}

TEST(DistanceGrid, PointsReachWhereTheMeshDoes) {
  // What a body sinks before one of its points touches.
  for (const TriangleMesh& mesh :
       {sphere_mesh(0.1, 60, 30), box_mesh({-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}),
        turned_plate({0.3, 0.2, 0.02}), torus_mesh(0.1, 0.03, 40, 20), l_mesh()}) {
    const double smallest = smallest_extent(mesh);
    for (const double spacing_m : {smallest / 2, smallest / 10, default_grid_spacing(mesh)}) {
      const DistanceGrid grid(mesh, spacing_m);
      ASSERT_FALSE(grid.points().empty());
      RandomScene random(1);
      for (int k = 0; k < 200; ++k) {
        const Vec3d direction = random.vector(1);
        const auto reach = [&](const std::vector<Vec3d>& points) {
          double farthest = -HUGE_VAL;
          for (const Vec3d p : points)
            farthest = std::max(farthest, dot(direction, p) / norm(direction));
          return farthest;
        };
        std::vector<Vec3d> points;
        for (const ShapePoint& point : grid.points()) points.push_back(point.centre);
        EXPECT_GE(reach(points), reach(grid.vertices()) - 0.05 * smallest);
        EXPECT_NEAR(reach(grid.vertices()), reach(mesh.vertices), 1e-15);
      }
    }
  }
}

TEST(RequireClosed, AcceptsClosedMeshes) {
  EXPECT_NO_THROW(require_closed(test::l_mesh(), "mesh"));
  EXPECT_NO_THROW(require_closed(test::torus_mesh(1, 0.3, 5, 4), "mesh"));
  EXPECT_NO_THROW(require_closed(test::sphere_mesh(1, 5, 4), "mesh"));
  // Two boxes that share an edge: four triangles there, two in each direction.
  TriangleMesh two = test::box_mesh({0, 0, 0}, {1, 1, 1});
  for (const auto& t : test::box_mesh({1, 1, 0}, {2, 2, 1}).triangles) {
    const auto renumber = [](std::int32_t i) {
      return i == 0 ? std::int32_t{3} : (i == 4 ? std::int32_t{7} : i + 8);
    };
    two.triangles.push_back({renumber(t[0]), renumber(t[1]), renumber(t[2])});
  }
  for (const Vec3d& p : test::box_mesh({1, 1, 0}, {2, 2, 1}).vertices) two.vertices.push_back(p);
  EXPECT_NO_THROW(require_closed(two, "mesh"));
}

TEST(RequireClosed, NamesOpenEdges) {
  TriangleMesh mesh = test::l_mesh();
  mesh.triangles.pop_back();
  EXPECT_THAT([&] { require_closed(mesh, "rock.obj"); },
              ThrowsMessage<InputError>(AllOf(
                  HasSubstr("rock.obj: "), HasSubstr("3 edges are open"),
                  HasSubstr("vertices 5 (0, 3, 0) and 6 (0, 0, 1)"), HasSubstr("fill the holes"))));
}

TEST(RequireClosed, NamesTrianglesThatFaceTheOtherSide) {
  TriangleMesh mesh = test::l_mesh();
  std::swap(mesh.triangles[3][0], mesh.triangles[3][1]);
  EXPECT_THAT([&] { require_closed(mesh, "rock"); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("3 edges lie between triangles that face opposite sides"),
                        HasSubstr("orient"))));
}

TEST(RequireClosed, NamesMeshesTurnedInsideOut) {
  TriangleMesh mesh = test::l_mesh();
  test::flip(&mesh);
  EXPECT_THAT([&] { require_closed(mesh, "rock"); },
              ThrowsMessage<InputError>(HasSubstr("face inward")));
}

TEST(RequireClosed, NamesFlatAndEmptyMeshes) {
  const TriangleMesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_THAT([&] { require_closed(flat, "rock"); },
              ThrowsMessage<InputError>(HasSubstr("enclosed volume = 0 (must be > 0")));
  EXPECT_THAT([&] { require_closed({}, "rock"); },
              ThrowsMessage<InputError>(HasSubstr("no triangles")));
}

TEST(RequireClosed, NamesBadIndicesAndVertices) {
  TriangleMesh mesh = test::l_mesh();
  mesh.triangles[2][1] = 12;
  EXPECT_THAT([&] { require_closed(mesh, "rock"); },
              ThrowsMessage<InputError>(HasSubstr("the first is triangle 2")));
  mesh.triangles[2][1] = -1;
  EXPECT_THAT([&] { require_closed(mesh, "rock"); },
              ThrowsMessage<InputError>(HasSubstr("do not exist")));
  mesh.triangles[2][1] = mesh.triangles[2][0];
  EXPECT_THAT([&] { require_closed(mesh, "rock"); },
              ThrowsMessage<InputError>(HasSubstr("use a vertex twice")));
  mesh = test::l_mesh();
  mesh.vertices[4].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(
      [&] { require_closed(mesh, "rock"); },
      ThrowsMessage<InputError>(HasSubstr("1 vertices are not finite, the first is vertex 4")));
}

}  // namespace
}  // namespace nodia
