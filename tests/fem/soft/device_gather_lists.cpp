/// Lists of the assembly that a device makes: those of the host, bit for bit. On the checked host
/// backend too.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/support/gather_lists.hpp"
#include "tests/support/missing_gpu.hpp"
#include "tests/support/random_soft_model.hpp"

namespace nodia {
namespace {

class DeviceGatherLists : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  }
};

TEST_F(DeviceGatherLists, AreTheHostsOfRandomBodiesWithAndWithoutOtherRows) {
  for (unsigned seed = 0; seed < 12; ++seed)
    for (const int n_other : {0, 1, 7}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", other rows " << n_other);
      test::expect_the_hosts_lists(test::RandomSoftModel(seed, 0.1, n_other).model);
    }
}

TEST_F(DeviceGatherLists, AreTheHostsOfMeshesInAnyOrder) {
  std::mt19937 random(5);
  for (const std::array<int, 3> cells : {std::array{1, 1, 1}, {17, 1, 1}, {6, 7, 5}}) {
    TetMesh mesh = mesh_box({0.1, 0.1, 0.1}, cells);
    test::expect_the_hosts_lists(test::finished(mesh));
    std::shuffle(mesh.tets.begin(), mesh.tets.end(), random);
    // Nodes by other numbers: even permutations of corners keep the volumes' signs.
    std::vector<std::int32_t> number(mesh.nodes.size());
    for (std::size_t i = 0; i < number.size(); ++i) number[i] = static_cast<std::int32_t>(i);
    std::shuffle(number.begin(), number.end(), random);
    std::vector<Vec3d> nodes(mesh.nodes.size());
    for (std::size_t i = 0; i < number.size(); ++i) nodes[number[i]] = mesh.nodes[i];
    mesh.nodes = nodes;
    for (auto& tet : mesh.tets) {
      for (auto& node : tet) node = number[node];
      std::rotate(tet.begin(), tet.begin() + 1, tet.begin() + 3);
    }
    test::expect_the_hosts_lists(test::finished(mesh));
  }
}

TEST_F(DeviceGatherLists, AreTheHostsOfNodesWithoutTetrahedra) {
  TetMesh mesh = mesh_box({0.1, 0.1, 0.1}, {1, 1, 1});
  mesh.tets.resize(1);  // of other nodes nothing gathers
  test::expect_the_hosts_lists(test::finished(mesh));
}

}  // namespace
}  // namespace nodia
