#include "fem/mesh/read_tet_mesh.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "fem/mesh/gmsh.hpp"
#include "fem/mesh/mesh_quality.hpp"
#include "fem/mesh/meshers.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace nodia {
namespace {

using ::testing::HasSubstr;

TEST(ReadTetMesh, RepairsAndSaysSo) {
  test::TemporaryFolder folder;
  TetMesh mesh = mesh_box({1, 1, 1}, {2, 2, 2});
  for (auto& t : mesh.tets) std::swap(t[0], t[1]);
  mesh.nodes.push_back({5, 5, 5});
  write_gmsh(mesh, folder.file("a.msh"));
  std::string notice;
  const TetMesh read = read_tet_mesh(folder.file("a.msh"), &notice);
  EXPECT_TRUE(check_mesh(read).usable());
  EXPECT_EQ(read.nodes.size(), mesh.nodes.size() - 1);
  EXPECT_EQ(notice, folder.file("a.msh") + ": " + std::to_string(mesh.tets.size()) +
                        " left-handed tetrahedra were turned, 1 nodes in no tetrahedron were "
                        "dropped");
  write_gmsh(mesh_box({1, 1, 1}, {2, 2, 2}), folder.file("a.msh"));
  read_tet_mesh(folder.file("a.msh"), &notice);
  EXPECT_EQ(notice, "");
}

TEST(ReadTetMesh, OtherFormatsAreAnsweredWithTheCommandThatConverts) {
  test::TemporaryFolder folder;
  const auto error = [&](const std::string& name) {
    std::ofstream(folder.file(name)) << "something\n";
    try {
      read_tet_mesh(folder.file(name));
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(error("part.INP"),
              HasSubstr("format '.inp' (must be .msh, .vtk or .vtu; convert it: pip "
                        "install meshio && meshio convert part.INP part.vtu)"));
  EXPECT_THAT(error("part.stl"), HasSubstr("part.stl is a surface: fill it with tetrahedra"));
  EXPECT_THAT(error("part.stl"), HasSubstr("gmsh -3 part.geo -o part.msh"));
  EXPECT_THAT(error("part.step"), HasSubstr("mesh it: gmsh -3 -order 1 part.step -o part.msh)"));
  EXPECT_THAT(error("part.msh"), HasSubstr("(must begin with $MeshFormat)"));
  EXPECT_THAT(error("part.xyz"), HasSubstr("(must begin with $MeshFormat)"));
}

}  // namespace
}  // namespace nodia
