#include "fem/mesh/repair_surface.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "fem/mesh/convex_hull.hpp"
#include "fem/mesh/solid_integrals.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/triangle_meshes.hpp"

namespace nodia {
namespace {

using ::testing::HasSubstr;

double volume_of(const TriangleMesh& mesh) {
  return solid_integrals(mesh, "mesh").volume_m3;
}

TriangleMesh torus() {
  return test::torus_mesh(1, 0.3, 24, 12);
}

TEST(RepairSurface, LeavesAClosedMeshAsItIs) {
  TriangleMesh mesh = torus();
  EXPECT_EQ(repair_surface(&mesh, "mesh"), "");
  EXPECT_EQ(mesh.triangles, torus().triangles);
}

TEST(RepairSurface, TurnsTriangles) {
  std::mt19937 random(1);
  for (const double share : {0.03, 0.5, 1.0}) {
    TriangleMesh mesh = torus();
    for (auto& triangle : mesh.triangles)
      if (std::generate_canonical<double, 53>(random) < share) std::swap(triangle[1], triangle[2]);
    const std::string repair = repair_surface(&mesh, "mesh");
    EXPECT_THAT(repair, HasSubstr("turned outward")) << share;
    EXPECT_DOUBLE_EQ(volume_of(mesh), volume_of(torus()));
  }
}

/// Two bodies in one file, one of them inside out.
TEST(RepairSurface, TurnsEachPart) {
  TriangleMesh mesh = torus();
  const TriangleMesh box = test::box_mesh({3, 0, 0}, {4, 1, 1});
  const auto first = static_cast<std::int32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), box.vertices.begin(), box.vertices.end());
  for (const auto& t : box.triangles)
    mesh.triangles.push_back({first + t[0], first + t[2], first + t[1]});
  std::swap(mesh.triangles[5][0], mesh.triangles[5][1]);
  EXPECT_NE(repair_surface(&mesh, "mesh"), "");
  EXPECT_NEAR(volume_of(mesh), volume_of(torus()) + 1, 1e-12);
}

TEST(RepairSurface, DropsTrianglesThatAreThereTwice) {
  TriangleMesh mesh = torus();
  for (int k = 0; k < 7; ++k) {
    const auto& t = mesh.triangles[static_cast<std::size_t>(10 * k)];
    mesh.triangles.push_back({t[1], t[2], t[0]});
  }
  EXPECT_THAT(repair_surface(&mesh, "mesh"), HasSubstr("7 triangles twice"));
  EXPECT_DOUBLE_EQ(volume_of(mesh), volume_of(torus()));
}

TEST(RepairSurface, ClosesSmallHoles) {
  TriangleMesh mesh = torus();
  mesh.triangles.erase(mesh.triangles.begin() + 100, mesh.triangles.begin() + 104);
  mesh.triangles.erase(mesh.triangles.begin() + 300);
  EXPECT_THAT(repair_surface(&mesh, "mesh"), HasSubstr("its holes were closed"));
  EXPECT_NO_THROW(require_closed(mesh, "mesh"));
  EXPECT_NEAR(volume_of(mesh), volume_of(torus()), 0.01 * volume_of(torus()));
}

/// The shell of half a ball: its hole is a third of the whole surface.
TEST(RepairSurface, UsesTheConvexHullOfAnOpenMesh) {
  TriangleMesh mesh = test::sphere_mesh(1, 24, 12);
  std::erase_if(mesh.triangles, [&](const auto& t) {
    return std::any_of(t.begin(), t.end(), [&](std::int32_t i) {
      return mesh.vertices[static_cast<std::size_t>(i)].z > 1e-9;
    });
  });
  EXPECT_THAT(repair_surface(&mesh, "mesh"),
              HasSubstr("is open (24 edges): its convex hull is used"));
  EXPECT_NO_THROW(require_closed(mesh, "mesh"));
  EXPECT_NEAR(volume_of(mesh), volume_of(test::sphere_mesh(1, 24, 12)) / 2, 1e-12);
}

TEST(RepairSurface, OfAMeshWithoutVolumeIsAnError) {
  TriangleMesh flat;
  flat.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  flat.triangles = {{0, 1, 2}, {1, 3, 2}};
  EXPECT_THROW(repair_surface(&flat, "flat"), InputError);
  // Both sides of a sheet: closed, and still without volume.
  flat.triangles = {{0, 1, 2}, {0, 2, 1}};
  EXPECT_THROW(repair_surface(&flat, "flat"), InputError);
}

/// Whatever is wrong, the result is the surface of a solid inside the convex hull.
TEST(RepairSurface, EndsInAClosedSurfaceOrAnError) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    TriangleMesh mesh = trial % 2 ? torus() : test::l_mesh();
    const auto n = static_cast<std::uint32_t>(mesh.triangles.size());
    for (std::uint32_t k = random() % n; k > 0; --k) {
      const auto t = static_cast<std::ptrdiff_t>(random() % mesh.triangles.size());
      const auto at = mesh.triangles.begin() + t;
      switch (random() % 4) {
        case 0:
          std::swap((*at)[1], (*at)[2]);
          break;
        case 1:
          mesh.triangles.erase(at);
          break;
        case 2:
          mesh.triangles.push_back(std::array<std::int32_t, 3>(*at));
          break;
        case 3:
          (*at)[random() % 3] = static_cast<std::int32_t>(random() % mesh.vertices.size());
      }
      if (mesh.triangles.size() < 4) break;
    }
    std::erase_if(mesh.triangles,
                  [](const auto& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
    const std::vector<Vec3d> vertices = mesh.vertices;
    try {
      repair_surface(&mesh, "mesh");
      require_closed(mesh, "mesh");
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("no volume"));
    }
  }
}

}  // namespace
}  // namespace nodia
