/// Radix sort of pairs on the device with CUB.
#include "kernels/device/sort_pairs.hpp"

#include <cub/device/device_radix_sort.cuh>

#include "kernels/device/check.hpp"
#include "kernels/device/stream.cuh"

namespace nodia {

DeviceSortPairs::DeviceSortPairs(int n, int n_bit) : n_(n), n_bit_(n_bit) {
  std::size_t bytes = 0;
  const std::uint64_t* const key = nullptr;
  const std::int32_t* const value = nullptr;
  check_cuda(
      cub::DeviceRadixSort::SortPairs(nullptr, bytes, key, static_cast<std::uint64_t*>(nullptr),
                                      value, static_cast<std::int32_t*>(nullptr), n_, 0, n_bit_),
      "cub::DeviceRadixSort::SortPairs", "workspace");
  workspace_ = DeviceBuffer<std::byte>(bytes);
}

void DeviceSortPairs::operator()(const std::uint64_t* key, const std::int32_t* value,
                                 std::uint64_t* sorted_key, std::int32_t* sorted_value,
                                 DeviceStream stream) {
  std::size_t bytes = workspace_.size();
  check_cuda(cub::DeviceRadixSort::SortPairs(workspace_.data(), bytes, key, sorted_key, value,
                                             sorted_value, n_, 0, n_bit_, cuda_stream(stream)),
             "cub::DeviceRadixSort::SortPairs", "sort_pairs");
}

}  // namespace nodia
