/// Compaction on the device with CUB.
#include "kernels/device/select_flagged.hpp"

#include <thrust/iterator/counting_iterator.h>

#include <cub/device/device_select.cuh>

#include "kernels/device/check.hpp"
#include "kernels/device/stream.cuh"

namespace nodia {

namespace {

cudaError_t select(void* workspace, std::size_t& bytes, const std::uint8_t* flag, int n,
                   std::int32_t* selected, std::int32_t* n_selected, DeviceStream stream) {
  const thrust::counting_iterator<std::int32_t> index(0);
  return cub::DeviceSelect::Flagged(workspace, bytes, index, flag, selected, n_selected, n,
                                    cuda_stream(stream));
}

}  // namespace

DeviceSelectFlagged::DeviceSelectFlagged(int largest_n) {
  std::size_t bytes = 0;
  check_cuda(select(nullptr, bytes, nullptr, largest_n, nullptr, nullptr, nullptr),
             "cub::DeviceSelect::Flagged", "workspace");
  workspace_ = DeviceBuffer<std::byte>(bytes);
}

void DeviceSelectFlagged::operator()(const std::uint8_t* flag, int n, std::int32_t* selected,
                                     std::int32_t* n_selected, DeviceStream stream) {
  std::size_t bytes = workspace_.size();
  check_cuda(select(workspace_.data(), bytes, flag, n, selected, n_selected, stream),
             "cub::DeviceSelect::Flagged", "select_flagged");
}

}  // namespace nodia
