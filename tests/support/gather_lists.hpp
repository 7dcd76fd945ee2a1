/// Lists of the assembly by a device, held against the host's.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "fem/mesh/meshers.hpp"
#include "fem/soft/tet_model.hpp"
#include "kernels/step/device/device_gather_lists.hpp"

namespace nodia::test {

/// The device's lists of a model, in the order of for_each_list, beside the host's.
inline void expect_the_hosts_lists(const TetModel& model) {
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
inline TetModel finished(const TetMesh& mesh) {
  TetModel model;
  model.add_body(mesh, {});
  model.finish();
  return model;
}

}  // namespace nodia::test
