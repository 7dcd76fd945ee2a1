/// Tests faults in the kernels that build the lists of the assembly.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"
#include "tests/devices/checked_host/checked_host.hpp"
#include "tests/support/gather_lists.hpp"

namespace nodia {
namespace {

TEST(DeviceGatherListFaults, AFaultIsToldAndTheNextListsAreRight) {
  const TetModel model = test::finished(mesh_box({0.1, 0.1, 0.1}, {1, 1, 1}));
  for (const char* kernel : {"tabulate", "stable_sort_by_key"}) {
    AssemblyView view = model.view();
    GatherLists lists;
    std::vector<DeviceBuffer<std::byte>> memory;
    for_each_list(&view, &lists, [&]<class T>(const T*&, T*& list, std::size_t size) {
      memory.emplace_back(size * sizeof(T));
      list = reinterpret_cast<T*>(memory.back().data());
    });
    checked_host().faulty_kernel = kernel;
    EXPECT_THROW(gather_lists_on_device(view, lists, nullptr), RuntimeError);
    checked_host().faulty_kernel.clear();
    EXPECT_THROW(synchronize_device("the stream of the fault"), RuntimeError);  // clears the fault
    test::expect_the_hosts_lists(model);
  }
}

}  // namespace
}  // namespace nodia
