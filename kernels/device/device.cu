#include "kernels/device/device.hpp"

#include "kernels/device/check.hpp"
#include "kernels/device/device_memory.hpp"
#include "kernels/device/stream.hpp"

namespace nodia {

bool device_available(std::string* reason) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return true;
  if (reason) {
    const cudaError_t shown = status == cudaSuccess ? cudaErrorNoDevice : status;
    *reason = std::string("no CUDA device: ") + cudaGetErrorString(shown);
  }
  static_cast<void>(cudaGetLastError());
  return false;
}

int device_count() {
  int count = 0;
  if (!device_available(nullptr)) return 0;
  check_cuda(cudaGetDeviceCount(&count), "cudaGetDeviceCount", "device_count");
  return count;
}

std::size_t device_free_bytes() {
  if (!device_available(nullptr)) return 0;
  std::size_t free = 0, total = 0;
  check_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo", "device_free_bytes");
  return free;
}

DeviceDescription describe_device(int device) {
  require(device >= 0 && device < device_count(), "device", device, "a device of this machine",
          "nodia info lists them");
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties",
             "describe_device");
  DeviceDescription description;
  description.name = properties.name;
  description.compute_major = properties.major;
  description.compute_minor = properties.minor;
  description.n_multiprocessor = properties.multiProcessorCount;
  description.memory_bytes = properties.totalGlobalMem;
  return description;
}

void* device_allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  check_cuda(cudaMalloc(&memory, bytes), "cudaMalloc", std::to_string(bytes) + " bytes");
  return memory;
}

void device_free(void* memory) noexcept {
  static_cast<void>(cudaFree(memory));
}

void copy_to_device(void* device, const void* host, std::size_t bytes) {
  if (bytes == 0) return;
  check_cuda(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "cudaMemcpy",
             std::to_string(bytes) + " bytes to the device");
}

void copy_to_host(void* host, const void* device, std::size_t bytes) {
  if (bytes == 0) return;
  check_cuda(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy",
             std::to_string(bytes) + " bytes to the host");
}

void copy_on_device(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  check_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice), "cudaMemcpy",
             std::to_string(bytes) + " bytes on the device");
}

void device_clear(void* memory, std::size_t bytes) {
  if (bytes == 0) return;
  check_cuda(cudaMemset(memory, 0, bytes), "cudaMemset", std::to_string(bytes) + " bytes");
}

void synchronize_device(const std::string& what, DeviceStream stream) {
  check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize", what);
}

}  // namespace nodia
