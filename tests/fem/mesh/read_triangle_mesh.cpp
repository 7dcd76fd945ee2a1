#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <filesystem>
#include <fstream>
#include <random>

#include "fem/mesh/triangle_mesh.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/mesh_texts.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/triangle_meshes.hpp"

namespace nodia {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class ReadTriangleMesh : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_.file(name), std::ios::binary) << bytes;
    return folder_.file(name);
  }
  void expect_rejected(const std::string& name, const std::string& bytes,
                       const std::string& message) const {
    const std::string path = write(name, bytes);
    EXPECT_THAT([&] { read_triangle_mesh(path); },
                ThrowsMessage<InputError>(AllOf(HasSubstr(path), HasSubstr(message))))
        << bytes.substr(0, 200);
  }

  test::TemporaryFolder folder_;
};

/// Both describe the same triangles in the same order, to `tolerance`.
void expect_same_triangles(const TriangleMesh& a, const TriangleMesh& b, double tolerance) {
  ASSERT_EQ(a.triangles.size(), b.triangles.size());
  for (std::size_t t = 0; t < a.triangles.size(); ++t)
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_LE(norm(a.vertices[static_cast<std::size_t>(a.triangles[t][c])] -
                     b.vertices[static_cast<std::size_t>(b.triangles[t][c])]),
                tolerance);
}

TEST_F(ReadTriangleMesh, ReadsWhatWasWritten) {
  const TriangleMesh mesh = test::torus_mesh(1, 0.3, 12, 9);
  const struct {
    std::string name, bytes;
  } files[] = {{"a.obj", test::obj_text(mesh)},
               {"a.stl", test::ascii_stl_text(mesh)},
               {"b.STL", test::binary_stl_bytes(mesh)},
               {"c.stl", test::binary_stl_bytes(mesh, "solid, yet binary")},
               {"d.dae", test::collada_text(mesh, "Z_UP", 1)},
               {"e.glb", test::glb_bytes(mesh)}};
  for (const auto& file : files) {
    SCOPED_TRACE(file.name);
    const TriangleMesh read = read_triangle_mesh(write(file.name, file.bytes));
    EXPECT_EQ(read.vertices.size(), mesh.vertices.size());  // equal ones are merged
    expect_same_triangles(read, mesh, 1e-7);
    EXPECT_NO_THROW(require_closed(read, file.name));
  }
}

TEST_F(ReadTriangleMesh, ScalesAndTurnsColladaFiles) {
  const TriangleMesh mesh = test::box_mesh({0, 0, 0}, {1, 2, 3});
  const auto corner = [&](const std::string& text, ColladaUpAxis up_axis) {
    const TriangleMesh read = read_triangle_mesh(write("a.dae", text), up_axis);
    require_closed(read, "turned");
    Vec3d farthest{};
    for (const Vec3d p : read.vertices)
      if (norm(p) > norm(farthest)) farthest = p;
    return farthest;
  };
  const auto expect_near = [](Vec3d a, Vec3d b) { EXPECT_LE(norm(a - b), 1e-6) << b.x; };
  for (const char* up : {"X_UP", "Y_UP", "Z_UP"})
    expect_near(corner(test::collada_text(mesh, up, 0.01), ColladaUpAxis::as_written),
                {0.01, 0.02, 0.03});
  // Axes to the right, up and out of the picture (COLLADA 1.4): X, Z, -Y for Z_UP; X, Y, Z for
  // Y_UP; -Y, X, Z for X_UP.
  expect_near(corner(test::collada_text(mesh, "Z_UP", 1), ColladaUpAxis::z_up), {1, 2, 3});
  expect_near(corner(test::collada_text(mesh, "Y_UP", 1), ColladaUpAxis::z_up), {1, -3, 2});
  expect_near(corner(test::collada_text(mesh, "X_UP", 1), ColladaUpAxis::z_up), {-2, -3, 1});
  // A node that mirrors: the triangles still face outward.
  expect_near(corner(test::collada_text(mesh, "Z_UP", 1, "-1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1"),
                     ColladaUpAxis::as_written),
              {5, 2, 3});
}

TEST_F(ReadTriangleMesh, UnderstandsTheFormsOfObjFaces) {
  const TriangleMesh mesh = read_triangle_mesh(
      write("a.obj",
            "mtllib none.mtl\r\n\r\nv 0 0 0 1.0\r\nv +1 0 0\r\nv 1. 1e0 0\r\nv\t0  1 0 \r\n"
            "vt 0 0\r\nvn 0 0 1\r\nusemtl x\r\ns off\r\n"
            "f 1/1/1 2//1 3/1 4 # quadrilateral\r\nf -4 -3 -2\r\nf 1 1 2\r\nf 1 2\r\n"));
  ASSERT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.triangles.size(), 3u);  // two of the quadrilateral; one with two corners has none
}

TEST_F(ReadTriangleMesh, MergesZerosOfBothSigns) {
  const TriangleMesh mesh = read_triangle_mesh(
      write("a.stl",
            "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
            "endloop\nendfacet\nfacet normal 0 0 -1\nouter loop\nvertex -0.0 -0 0\nvertex 0 1 0\n"
            "vertex 1 0 0\nendloop\nendfacet\nendsolid\n"));
  EXPECT_EQ(mesh.vertices.size(), 3u);
  EXPECT_EQ(mesh.triangles.size(), 2u);
}

TEST_F(ReadTriangleMesh, NumbersDoNotDependOnTheLocale) {
  const std::string path = write("a.obj", test::obj_text(test::torus_mesh(1.5, 0.25, 5, 4)));
  const TriangleMesh before = read_triangle_mesh(path);
  const std::string old = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "C.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;
    expect_same_triangles(read_triangle_mesh(path), before, 0);
  }
  std::setlocale(LC_ALL, old.c_str());
}

TEST_F(ReadTriangleMesh, RejectsWhatIsNoMeshFile) {
  EXPECT_THAT([&] { read_triangle_mesh(folder_.file("none.obj")); },
              ThrowsMessage<InputError>(HasSubstr("no such file")));
  std::filesystem::create_directory(folder_.file("folder.stl"));
  EXPECT_THAT([&] { read_triangle_mesh(folder_.file("folder.stl")); },
              ThrowsMessage<InputError>(HasSubstr("is a folder (must be a mesh: '.obj'")));
  expect_rejected("a.ply", "ply", "extension = '.ply' (must be '.obj', '.stl', '.dae', '.gltf'");
  expect_rejected("noextension", "v 0 0 0", "extension");
  expect_rejected("a.obj", "", "empty");
  expect_rejected("a.obj", "# nothing\n", "cannot be read as a mesh (Assimp: ");
  expect_rejected("a.stl", "solid a\nendsolid a\n", "");
  expect_rejected("c.stl", "short", "cannot be read as a mesh (Assimp: ");
  expect_rejected("d.dae", "<COLLADA/>", "cannot be read as a mesh (Assimp: ");
  expect_rejected("e.glb", "glTF", "cannot be read as a mesh (Assimp: ");
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  expect_rejected("a.obj", "v 0 0 nan\n" + three + "f 1 2 3\n", "must be finite numbers");
  expect_rejected("a.obj", "v 0 0 1e999\n" + three + "f 1 2 3\n", "must be finite numbers");
  expect_rejected("a.obj", three + "f 1 2\n", "no triangles found");
  expect_rejected("a.obj", three + "f 1 2 4\n", "Assimp: OBJ: vertex index out of range");
  expect_rejected("a.obj", "\x1b[31mhello\n", "");
}

/// A file that is cut ends in an error, in a mesh that is not closed, or in the whole mesh.
TEST_F(ReadTriangleMesh, ATruncatedFileIsNeverAnotherSolid) {
  const TriangleMesh mesh = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const struct {
    std::string name, bytes;
  } files[] = {{"a.obj", test::obj_text(mesh)},
               {"a.stl", test::ascii_stl_text(mesh)},
               {"b.stl", test::binary_stl_bytes(mesh)},
               {"c.dae", test::collada_text(mesh, "Z_UP", 1)},
               {"d.glb", test::glb_bytes(mesh)}};
  for (const auto& file : files) {
    for (std::size_t n = 1; n < file.bytes.size(); n += file.bytes.size() / 25) {
      const std::string path = write(file.name, file.bytes.substr(0, n));
      try {
        const TriangleMesh read = read_triangle_mesh(path);
        require_closed(read, path);
        EXPECT_EQ(read.triangles.size(), mesh.triangles.size()) << file.name << " " << n;
      } catch (const InputError&) {
      }
    }
  }
}

/// Any answer but a mesh or an InputError fails the test.
TEST_F(ReadTriangleMesh, AThousandDamagedFilesEndInAMeshOrAnInputError) {
  std::mt19937_64 random(1);
  const TriangleMesh mesh = test::l_mesh();
  const struct {
    std::string name, bytes;
  } seeds[] = {{"a.obj", test::obj_text(mesh)},
               {"a.stl", test::ascii_stl_text(mesh)},
               {"b.stl", test::binary_stl_bytes(mesh)},
               {"c.dae", test::collada_text(mesh, "Z_UP", 1)},
               {"d.glb", test::glb_bytes(mesh)}};
  int n_mesh = 0, n_error = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const auto& seed = seeds[trial % 5];
    std::string damaged = seed.bytes;
    const std::size_t place = random() % damaged.size();
    switch (random() % 4) {
      case 0:  // other bytes
        for (int k = 0; k < 1 + trial % 5; ++k)
          damaged[random() % damaged.size()] = static_cast<char>(random());
        break;
      case 1:
        damaged.erase(place, 1 + random() % 40);
        break;
      case 2:
        damaged.insert(place, damaged.substr(random() % damaged.size(), random() % 200));
        break;
      case 3:
        damaged.resize(place);
        break;
    }
    try {
      read_triangle_mesh(write(seed.name, damaged));
      ++n_mesh;
    } catch (const InputError&) {
      ++n_error;
    }
  }
  EXPECT_GT(n_mesh, 100);
  EXPECT_GT(n_error, 100);
}

}  // namespace
}  // namespace nodia
