/// The committed mat of scenarios/soft_mat.
#include <gtest/gtest.h>

#include "fem/mesh/gmsh.hpp"
#include "fem/mesh/mesh_quality.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

TEST(SoftMatMesh, IsUsableAndAsDescribed) {
  const TetMesh mesh = read_gmsh(test::source_file("scenarios/soft_mat/soft_mat.msh"));
  const MeshQuality quality = check_mesh(mesh);
  EXPECT_TRUE(quality.usable()) << quality.report();
  EXPECT_GT(quality.min_shape, 0.5);
  EXPECT_EQ(mesh.nodes.size(), 1476u);
  EXPECT_EQ(mesh.tets.size(), 4146u);
  EXPECT_NEAR(quality.volume_m3, 0.3 * 0.3 * 0.006, 1e-15);

  const double size[3] = {0.3, 0.3, 0.006};
  const std::string axes = "xyz";
  std::size_t n_set = 1;
  EXPECT_EQ(mesh.node_sets.at("mat").size(), mesh.nodes.size());
  for (int axis = 0; axis < 3; ++axis) {
    for (const bool max : {false, true}) {
      std::vector<std::int32_t> expected;
      for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
        EXPECT_GE(mesh.nodes[i][axis], 0);
        EXPECT_LE(mesh.nodes[i][axis], size[axis]);
        if (mesh.nodes[i][axis] == (max ? size[axis] : 0))
          expected.push_back(static_cast<std::int32_t>(i));
      }
      EXPECT_EQ(mesh.node_sets.at(axes.substr(axis, 1) + (max ? "_max" : "_min")), expected);
      ++n_set;
    }
  }
  EXPECT_EQ(mesh.node_sets.size(), n_set);
}

}  // namespace
}  // namespace nodia
