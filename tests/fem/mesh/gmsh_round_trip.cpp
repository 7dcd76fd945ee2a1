/// What write_gmsh writes, read_gmsh reads, and whatever happens to the bytes on the way ends in a
/// mesh or in an InputError.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

#include "fem/mesh/gmsh.hpp"
#include "fem/mesh/meshers.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

namespace fs = std::filesystem;

struct Variant {
  int version;
  bool binary;
};

class GmshVariant : public ::testing::TestWithParam<Variant> {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name =
        std::string("nodia_") + info->test_suite_name() + "_" + info->name() + ".msh";
    std::replace(name.begin(), name.end(), '/', '_');
    path_ = (fs::path(::testing::TempDir()) / name).string();
  }
  void TearDown() override { fs::remove(path_); }

  TetMesh round_trip(const TetMesh& mesh) {
    write_gmsh(mesh, path_, GetParam().version, GetParam().binary);
    return read_gmsh(path_);
  }
  std::string bytes_of(const TetMesh& mesh) {
    write_gmsh(mesh, path_, GetParam().version, GetParam().binary);
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string path_;
};

void expect_same(const TetMesh& a, const TetMesh& b) {
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    for (int k = 0; k < 3; ++k) EXPECT_EQ(a.nodes[i][k], b.nodes[i][k]);
  }
  EXPECT_EQ(a.tets, b.tets);
  EXPECT_EQ(a.node_sets, b.node_sets);
}

TetMesh small_mesh() {
  TetMesh mesh = mesh_box({0.1, 0.2, 0.3}, {1, 1, 1});
  mesh.node_sets = {{"left", {0, 2, 5}}, {"one", {3}}};
  return mesh;
}

/// A mesh whose indices and sets are sound, or an InputError with one line.
void expect_mesh_or_input_error(const std::string& bytes) {
  try {
    const TetMesh mesh = parse_gmsh(bytes, "a.msh");
    const auto n = static_cast<std::int32_t>(mesh.nodes.size());
    for (const auto& t : mesh.tets) {
      for (const auto i : t) ASSERT_TRUE(i >= 0 && i < n);
    }
    for (const auto& [name, set] : mesh.node_sets) {
      for (const auto i : set) ASSERT_TRUE(i >= 0 && i < n);
      ASSERT_TRUE(std::is_sorted(set.begin(), set.end()));
    }
  } catch (const InputError& e) {
    const std::string message = e.what();
    ASSERT_EQ(message.rfind("a.msh: ", 0), 0u) << message;
    for (const char c : message) ASSERT_TRUE(c >= ' ' && c <= '~') << message;
  }
}

TEST_P(GmshVariant, KeepsNodesTetrahedraAndSetsExactly) {
  expect_same(round_trip(mesh_mat({0.3, 0.3, 0.006}, 600)), mesh_mat({0.3, 0.3, 0.006}, 600));
  expect_same(round_trip(mesh_ball(1.0 / 3, 150)), mesh_ball(1.0 / 3, 150));
}

TEST_P(GmshVariant, KeepsExtremeNumbersNamesAndEmptySets) {
  TetMesh mesh = small_mesh();
  mesh.nodes[0] = {-0.0, 5e-324, -1.7976931348623157e308};
  mesh.nodes[1] = {1.0 / 3, 1e22, std::numeric_limits<double>::epsilon()};
  mesh.node_sets["with blanks, $EndNodes and \xc3\xa4"] = {1, 7};
  mesh.node_sets["empty"] = {};
  expect_same(round_trip(mesh), mesh);
}

TEST_P(GmshVariant, KeepsAnEmptyMesh) {
  expect_same(round_trip({}), {});
}

TEST_P(GmshVariant, EveryTruncationEndsInAnInputErrorOrTheWholeMesh) {
  const std::string bytes = bytes_of(small_mesh());
  const std::size_t end = bytes.rfind("$EndElements") + std::string("$EndElements").size();
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    if (n < end) {
      EXPECT_THROW(parse_gmsh(bytes.substr(0, n), "a.msh"), InputError) << n;
      expect_mesh_or_input_error(bytes.substr(0, n));
    } else {
      expect_same(parse_gmsh(bytes.substr(0, n), "a.msh"), small_mesh());
    }
  }
}

TEST_P(GmshVariant, RandomByteFlipsEndInAMeshOrAnInputError) {
  const std::string good = bytes_of(small_mesh());
  std::mt19937 random(20220);
  for (int k = 0; k < 2000; ++k) {
    std::string bytes = good;
    const int n_flip = 1 + static_cast<int>(random() % 4);
    for (int flip = 0; flip < n_flip; ++flip) {
      bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
    }
    expect_mesh_or_input_error(bytes);
    if (HasFatalFailure()) FAIL() << "case " << k;
  }
}

TEST_P(GmshVariant, RandomPiecesRemovedOrRepeatedEndInAMeshOrAnInputError) {
  const std::string good = bytes_of(small_mesh());
  std::mt19937 random(41);
  for (int k = 0; k < 500; ++k) {
    std::string bytes = good;
    const std::size_t from = random() % bytes.size(), length = random() % 60;
    if (k % 2 == 0) {
      bytes.erase(from, length);
    } else {
      bytes.insert(from, good.substr(random() % good.size(), length));
    }
    expect_mesh_or_input_error(bytes);
    if (HasFatalFailure()) FAIL() << "case " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(All, GmshVariant,
                         ::testing::Values(Variant{22, false}, Variant{22, true},
                                           Variant{41, false}, Variant{41, true}),
                         [](const auto& variant) {
                           return "v" + std::to_string(variant.param.version) +
                                  (variant.param.binary ? "_binary" : "_ascii");
                         });

TEST(GmshWrite, RefusesWhatItCannotWrite) {
  const std::string folder = ::testing::TempDir();
  EXPECT_THROW(write_gmsh(small_mesh(), folder + "/nodia_bad.msh", 40), InputError);
  EXPECT_THROW(write_gmsh(small_mesh(), folder + "/no/such/folder/a.msh"), InputError);
  TetMesh mesh = small_mesh();
  mesh.node_sets["quo\"ted"] = {1};
  EXPECT_THROW(write_gmsh(mesh, folder + "/nodia_bad.msh"), InputError);
  mesh = small_mesh();
  mesh.node_sets["two\nlines"] = {1};
  EXPECT_THROW(write_gmsh(mesh, folder + "/nodia_bad.msh"), InputError);
}

TEST(GmshWrite, FullDiskIsARuntimeError) {
  ASSERT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_THROW(write_gmsh(small_mesh(), "/dev/full"), RuntimeError);
}

}  // namespace
}  // namespace nodia
