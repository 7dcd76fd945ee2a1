#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include "fem/mesh/triangle_mesh.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/triangle_meshes.hpp"

namespace nodia {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Files of one test, removed behind it.
class ReadTriangleMesh : public ::testing::Test {
 protected:
  ReadTriangleMesh() {
    folder_ = std::filesystem::temp_directory_path() /
              ("nodia_mesh_" + std::to_string(getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  ~ReadTriangleMesh() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& bytes) const {
    const std::string path = folder_ / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  void expect_rejected(const std::string& name, const std::string& bytes,
                       const std::string& message) const {
    const std::string path = write(name, bytes);
    EXPECT_THAT([&] { read_triangle_mesh(path); },
                ThrowsMessage<InputError>(AllOf(HasSubstr(path), HasSubstr(message))))
        << bytes;
  }
  /// Any answer but a mesh or an InputError fails the test.
  void expect_mesh_or_error(const std::string& name, const std::string& bytes) const {
    try {
      read_triangle_mesh(write(name, bytes));
    } catch (const InputError&) {
    }
  }

  std::filesystem::path folder_;
};

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string obj_text(const TriangleMesh& mesh) {
  std::string text = "# nodia\no thing\n";
  for (const Vec3d& p : mesh.vertices) {
    text += "v " + number(p.x) + " " + number(p.y) + " " + number(p.z) + "\n";
  }
  for (const auto& t : mesh.triangles) {
    text += "f";
    for (const std::int32_t i : t) text += " " + std::to_string(i + 1);
    text += "\n";
  }
  return text;
}

std::string ascii_stl_text(const TriangleMesh& mesh) {
  std::string text = "solid thing\n";
  for (const auto& t : mesh.triangles) {
    text += "  facet normal 0 0 0\n    outer loop\n";
    for (const std::int32_t i : t) {
      const Vec3d p = mesh.vertices[static_cast<std::size_t>(i)];
      text += "      vertex " + number(p.x) + " " + number(p.y) + " " + number(p.z) + "\n";
    }
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid thing\n";
}

std::string binary_stl_bytes(const TriangleMesh& mesh, const std::string& header = "binary") {
  std::string bytes = header;
  bytes.resize(80, ' ');
  const auto append_word = [&](const void* word) {
    bytes.append(static_cast<const char*>(word), 4);
  };
  const auto n = static_cast<std::uint32_t>(mesh.triangles.size());
  append_word(&n);
  for (const auto& t : mesh.triangles) {
    bytes.append(12, '\0');
    for (const std::int32_t i : t) {
      for (int axis = 0; axis < 3; ++axis) {
        const auto c = static_cast<float>(mesh.vertices[static_cast<std::size_t>(i)][axis]);
        append_word(&c);
      }
    }
    bytes.append(2, '\0');
  }
  return bytes;
}

/// Whether both describe the same triangles in the same order, to `tolerance`.
void expect_same_triangles(const TriangleMesh& a, const TriangleMesh& b, double tolerance) {
  ASSERT_EQ(a.triangles.size(), b.triangles.size());
  for (std::size_t t = 0; t < a.triangles.size(); ++t) {
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_LE(norm(a.vertices[static_cast<std::size_t>(a.triangles[t][c])] -
                     b.vertices[static_cast<std::size_t>(b.triangles[t][c])]),
                tolerance);
    }
  }
}

TEST_F(ReadTriangleMesh, ReadsWhatWasWritten) {
  const TriangleMesh mesh = test::torus_mesh(1, 0.3, 12, 9);
  const struct {
    std::string name, bytes;
    double tolerance;
  } files[] = {{"a.obj", obj_text(mesh), 0},
               {"a.stl", ascii_stl_text(mesh), 0},
               {"b.STL", binary_stl_bytes(mesh), 1e-7},
               {"c.stl", binary_stl_bytes(mesh, "solid, yet binary"), 1e-7}};
  for (const auto& file : files) {
    SCOPED_TRACE(file.name);
    const TriangleMesh read = read_triangle_mesh(write(file.name, file.bytes));
    EXPECT_EQ(read.vertices.size(), mesh.vertices.size());  // STL: merged
    expect_same_triangles(read, mesh, file.tolerance);
    EXPECT_NO_THROW(require_closed(read, file.name));
  }
}

TEST_F(ReadTriangleMesh, UnderstandsTheFormsOfObjFaces) {
  const TriangleMesh mesh = read_triangle_mesh(
      write("a.obj",
            "mtllib none.mtl\r\n\r\nv 0 0 0 1.0\r\nv +1 0 0\r\nv 1. 1e0 0\r\nv\t0  1 0 \r\n"
            "vt 0 0\r\nvn 0 0 1\r\nusemtl x\r\ns off\r\n"
            "f 1/1/1 2//1 3/1 4 # quadrilateral\r\nf -4 -3 -2\r\nf 1 1 2\r\n"));
  ASSERT_EQ(mesh.vertices.size(), 4u);
  const std::vector<std::array<std::int32_t, 3>> expected{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}};
  EXPECT_EQ(mesh.triangles, expected);
}

TEST_F(ReadTriangleMesh, MergesZerosOfBothSigns) {
  const TriangleMesh mesh = read_triangle_mesh(
      write("a.stl",
            "SOLID\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
            "endloop\nendfacet\nfacet normal 0 0 -1\nouter loop\nvertex -0.0 -0 0\nvertex 0 1 0\n"
            "vertex 1 0 0\nendloop\nendfacet\nendsolid\nsolid two\nendsolid two\n"));
  EXPECT_EQ(mesh.vertices.size(), 3u);
  EXPECT_EQ(mesh.triangles.size(), 2u);
}

TEST_F(ReadTriangleMesh, NumbersDoNotDependOnTheLocale) {
  const std::string path = write("a.obj", obj_text(test::torus_mesh(1.5, 0.25, 5, 4)));
  const TriangleMesh before = read_triangle_mesh(path);
  const std::string old = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "C.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;
    expect_same_triangles(read_triangle_mesh(path), before, 0);
  }
  std::setlocale(LC_ALL, old.c_str());
  expect_rejected("comma.obj", "v 0,5 0 0\n", "line 1");
}

TEST_F(ReadTriangleMesh, RejectsWhatIsNoMeshFile) {
  EXPECT_THAT([&] { read_triangle_mesh((folder_ / "none.obj").string()); },
              ThrowsMessage<InputError>(HasSubstr("no such file")));
  std::filesystem::create_directory(folder_ / "folder.stl");
  EXPECT_THAT([&] { read_triangle_mesh((folder_ / "folder.stl").string()); },
              ThrowsMessage<InputError>(HasSubstr("not a file")));
  expect_rejected("a.ply", "ply", "extension");
  expect_rejected("noextension", "v 0 0 0", "extension");
  expect_rejected("a.obj", "", "empty");
  expect_rejected("a.stl", "", "empty");
  expect_rejected("a.obj", "# nothing\n", "no triangles");
  expect_rejected("a.stl", "solid a\nendsolid a\n", "no triangles");
  expect_rejected("b.stl", std::string(84, '\0'), "no triangles");
  expect_rejected("c.stl", "short", "size of the file = 5 (must be >= 84 bytes");
}

TEST_F(ReadTriangleMesh, NamesTheLineAndTheRuleOfObj) {
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  expect_rejected("a.obj", "v 0 0\n", "line 1: coordinates = 2 (must be 3 numbers");
  expect_rejected("a.obj", "v 0 0 x\n", "'x' (must be a finite number");
  expect_rejected("a.obj", "v 0 0 nan\n", "finite");
  expect_rejected("a.obj", "v 0 0 1e999\n", "finite");
  expect_rejected("a.obj", "v 0 0 +-1\n", "finite");
  expect_rejected("a.obj", three + "f 1 2\n", "line 4: vertices of a face = 2");
  expect_rejected("a.obj", three + "f 1 2 4\n", "'4' (must be one of the 3 vertices above");
  expect_rejected("a.obj", three + "f 1 2 0\n", "line 4");
  expect_rejected("a.obj", three + "f 1 2 -4\n", "line 4");
  expect_rejected("a.obj", three + "f 1 2 99999999999999999999\n", "line 4");
  expect_rejected("a.obj", three + "f 1 2 3x\n", "line 4");
  expect_rejected("a.obj", three + "f 1 2 3/x\n", "line 4");
  expect_rejected("a.obj", "curv 1 2\n", "'curv' (must be an OBJ keyword");
  expect_rejected("a.obj", "\x1b[31mhello\n", "'?[31mhello'");
}

TEST_F(ReadTriangleMesh, NamesTheLineAndTheRuleOfStl) {
  expect_rejected("a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n",
                  "ends where 'vertex' must follow");
  expect_rejected("a.stl", "solid a\nfacet normal 0 0 1\nouter x\n", "line 3");
  expect_rejected("a.stl", "solid a\nhello\n", "'facet' or 'endsolid'");
  expect_rejected("a.stl", "solid a\n", "ends inside a solid");
  expect_rejected("a.stl", "solid a\nendsolid\nhello\n", "'solid'");
  std::string bytes = binary_stl_bytes(test::l_mesh());
  expect_rejected("b.stl", bytes.substr(0, bytes.size() - 1), "size of the file");
  expect_rejected("b.stl", bytes + "x", "size of the file");
  bytes.replace(80, 4, "\xff\xff\xff\xff");
  expect_rejected("b.stl", bytes, "4294967295");
  bytes = binary_stl_bytes(test::l_mesh());
  bytes.replace(84 + 12, 4, std::string("\x00\x00\xc0\x7f", 4));
  expect_rejected("b.stl", bytes, "offset 96: coordinate = nan");
}

TEST_F(ReadTriangleMesh, EveryTruncationOfStlIsRejected) {
  const TriangleMesh mesh = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const std::string binary = binary_stl_bytes(mesh);
  for (std::size_t n = 0; n < binary.size(); n += 7) {
    expect_rejected("a.stl", binary.substr(0, n), "");
  }
  const std::string ascii = ascii_stl_text(mesh);
  for (std::size_t n = 0; n + 20 < ascii.size(); n += 13) {
    expect_rejected("b.stl", ascii.substr(0, n), "");
  }
}

TEST_F(ReadTriangleMesh, TruncatedObjIsRejectedOrNotClosed) {
  const std::string text = obj_text(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  for (std::size_t n = 0; n + 2 < text.size(); n += 3) {
    const std::string path = write("a.obj", text.substr(0, n));
    EXPECT_THROW(require_closed(read_triangle_mesh(path), path), InputError) << n;
  }
}

TEST_F(ReadTriangleMesh, RandomBytesEndInAMeshOrAnInputError) {
  std::mt19937_64 random(1);
  const std::string seeds[] = {obj_text(test::l_mesh()), ascii_stl_text(test::l_mesh()),
                               binary_stl_bytes(test::l_mesh())};
  for (int trial = 0; trial < 300; ++trial) {
    std::string noise(random() % 400, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    expect_mesh_or_error("a.obj", noise);
    expect_mesh_or_error("a.stl", noise);
    expect_mesh_or_error("a.stl", "solid" + noise);
    std::string damaged = seeds[trial % 3];
    for (int k = 0; k < 1 + trial % 5; ++k) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    expect_mesh_or_error("b.obj", damaged);
    expect_mesh_or_error("b.stl", damaged);
  }
}

}  // namespace
}  // namespace nodia
