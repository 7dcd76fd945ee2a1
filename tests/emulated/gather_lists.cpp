/// Lists of the assembly that a device makes: those of the host, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <random>
#include <vector>

#include "fem/soft/tet_model.hpp"
#include "kernels/assembly/device/device_gather_lists.hpp"
#include "kernels/core/error.hpp"
#include "kernels/emulated/emulated_device.hpp"
#include "tests/support/random_soft_model.hpp"

namespace nodia {
namespace {

/// The device's lists of a model, in the order of for_each_list, beside the host's.
void expect_the_hosts_lists(const TetModel& model) {
  const AssemblyView host = model.view();
  AssemblyView there = host;
  std::vector<DeviceBuffer<std::byte>> memory;
  for_each_given_array(&there, [&]<class T>(const T*& array, std::size_t size) {
    memory.emplace_back(reinterpret_cast<const std::byte*>(array), size * sizeof(T));
    array = reinterpret_cast<const T*>(memory.back().data());
  });
  GatherLists lists;
  for_each_list(&there, &lists, [&]<class T>(const T*& array, T*& list, std::size_t size) {
    memory.emplace_back(size * sizeof(T));
    list = reinterpret_cast<T*>(memory.back().data());
    array = nullptr;
  });
  gather_lists_on_device(there, lists, nullptr);
  AssemblyView expected = host;
  int k = 0;
  for_each_list(&expected, &lists, [&]<class T>(const T*& array, T*& list, std::size_t size) {
    std::vector<T> made(size);
    copy_to_host(made.data(), list, size * sizeof(T));
    EXPECT_EQ(std::memcmp(made.data(), array, size * sizeof(T)), 0) << "list " << k;
    ++k;
  });
}

/// A mesh as a model alone.
TetModel finished(const TetMesh& mesh) {
  TetModel model;
  model.add_body(mesh, {});
  model.finish();
  return model;
}

TEST(DeviceGatherLists, AreTheHostsOfRandomBodiesWithAndWithoutOtherRows) {
  for (unsigned seed = 0; seed < 12; ++seed)
    for (const int n_other : {0, 1, 7}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", other rows " << n_other);
      expect_the_hosts_lists(test::RandomSoftModel(seed, 0.1, n_other).model);
    }
}

TEST(DeviceGatherLists, AreTheHostsOfMeshesInAnyOrder) {
  std::mt19937 random(5);
  for (const std::array<int, 3> cells : {std::array{1, 1, 1}, {17, 1, 1}, {6, 7, 5}}) {
    TetMesh mesh = mesh_box({0.1, 0.1, 0.1}, cells);
    expect_the_hosts_lists(finished(mesh));
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
    expect_the_hosts_lists(finished(mesh));
  }
}

TEST(DeviceGatherLists, AreTheHostsOfNodesWithoutTetrahedra) {
  TetMesh mesh = mesh_box({0.1, 0.1, 0.1}, {1, 1, 1});
  mesh.tets.resize(1);  // of other nodes nothing gathers
  expect_the_hosts_lists(finished(mesh));
}

TEST(DeviceGatherLists, AFaultIsToldAndTheNextListsAreRight) {
  const TetModel model = finished(mesh_box({0.1, 0.1, 0.1}, {1, 1, 1}));
  for (const char* kernel : {"tabulate", "stable_sort_by_key"}) {
    AssemblyView view = model.view();
    GatherLists lists;
    std::vector<DeviceBuffer<std::byte>> memory;
    for_each_list(&view, &lists, [&]<class T>(const T*&, T*& list, std::size_t size) {
      memory.emplace_back(size * sizeof(T));
      list = reinterpret_cast<T*>(memory.back().data());
    });
    emulated_device().faulty_kernel = kernel;
    EXPECT_THROW(gather_lists_on_device(view, lists, nullptr), RuntimeError);
    emulated_device().faulty_kernel.clear();
    EXPECT_THROW(synchronize_device("the stream of the fault"), RuntimeError);  // which ends it
    expect_the_hosts_lists(model);
  }
}

}  // namespace
}  // namespace nodia
