/// CUDA devices, their memory, streams and events.
#include "kernels/device/device.hpp"

#include <cuda.h>
#include <cuda_profiler_api.h>

#include "kernels/device/check.hpp"
#include "kernels/device/device_memory.hpp"
#include "kernels/device/stream.cuh"

namespace nodia {
namespace {

/// True if the calling thread has a context; the query creates none. The driver's function is
/// looked up at run time, so that programs start without a driver.
bool has_context() {
  using GetCurrent = CUresult(CUDAAPI*)(CUcontext*);
  constexpr const char* kName = "cuCtxGetCurrent";
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
  constexpr unsigned kSince = 4000;
  check_cuda(cudaGetDriverEntryPointByVersion(kName, &found, kSince, cudaEnableDefault, &result),
             "cudaGetDriverEntryPointByVersion", kName);
#else
  check_cuda(cudaGetDriverEntryPoint(kName, &found, cudaEnableDefault, &result),
             "cudaGetDriverEntryPoint", kName);
#endif
  CUcontext context = nullptr;
  return result == cudaDriverEntryPointSuccess &&
         reinterpret_cast<GetCurrent>(found)(&context) == CUDA_SUCCESS && context != nullptr;
}

}  // namespace

bool is_built_with_cuda() {
  return true;
}

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

int current_device() {
  int device = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice", "current_device");
  return device;
}

void require_device(const std::string& key, int device) {
  std::string reason;
  if (!device_available(&reason)) throw RuntimeError(reason);
  const int n = device_count();
  require(device >= 0 && device < n, key, device, "from 0 to " + std::to_string(n - 1),
          "CUDA devices of this machine: " + std::to_string(n));
}

DeviceScope::DeviceScope(int device) {
  require_device("device", device);
  if (has_context()) before_ = current_device();
  check_cuda(cudaSetDevice(device), "cudaSetDevice", "device " + std::to_string(device));
}

void DeviceScope::go_back(int device) noexcept {
  if (cudaSetDevice(device) != cudaSuccess) static_cast<void>(cudaGetLastError());
}

bool can_record_loops(std::string* reason) {
  constexpr int kNeeded = 12040;
  int driver = 0;
  check_cuda(cudaDriverGetVersion(&driver), "cudaDriverGetVersion", "can_record_loops");
  if (driver >= kNeeded) return true;
  if (reason)
    *reason = "the driver has CUDA " + std::to_string(driver / 1000) + "." +
              std::to_string(driver % 1000 / 10) + ", graphs with loops need 12.4";
  return false;
}

void start_profiler() {
  check_cuda(cudaProfilerStart(), "cudaProfilerStart", "start_profiler");
}

bool device_memory_is_the_hosts() {
  return false;
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
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    throw_no_room(bytes, device_free_bytes());
  }
  check_cuda(status, "cudaMalloc", std::to_string(bytes) + " bytes");
  return memory;
}

void device_free(void* memory) noexcept {
  if (memory == nullptr) return;  // cudaFree would create a context
  if (cudaFree(memory) != cudaSuccess) static_cast<void>(cudaGetLastError());
}

void copy_to_device(void* device, const void* host, std::size_t bytes, DeviceStream stream) {
  if (bytes == 0) return;
  const std::string what = std::to_string(bytes) + " bytes to the device";
  check_cuda(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, cuda_stream(stream)),
             "cudaMemcpyAsync", what);
  synchronize_device(what, stream);
}

void copy_to_host(void* host, const void* device, std::size_t bytes, DeviceStream stream) {
  if (bytes == 0) return;
  const std::string what = std::to_string(bytes) + " bytes to the host";
  check_cuda(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, cuda_stream(stream)),
             "cudaMemcpyAsync", what);
  synchronize_device(what, stream);
}

void copy_on_device(void* to, const void* from, std::size_t bytes, DeviceStream stream) {
  if (bytes == 0) return;
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, cuda_stream(stream)),
             "cudaMemcpyAsync", std::to_string(bytes) + " bytes on the device");
}

void device_clear(void* memory, std::size_t bytes, DeviceStream stream) {
  if (bytes == 0) return;
  check_cuda(cudaMemsetAsync(memory, 0, bytes, cuda_stream(stream)), "cudaMemsetAsync",
             std::to_string(bytes) + " bytes");
}

PinnedMemory::PinnedMemory(std::size_t bytes) {
  check_cuda(cudaMallocHost(&data_, bytes), "cudaMallocHost", std::to_string(bytes) + " bytes");
}

void PinnedMemory::free(void* data) noexcept {
  static_cast<void>(cudaFreeHost(data));
}

void PinnedMemory::fetch(const void* device, std::size_t bytes, DeviceStream stream,
                         std::size_t begin) {
  check_cuda(cudaMemcpyAsync(static_cast<std::byte*>(data_) + begin, device, bytes,
                             cudaMemcpyDeviceToHost, cuda_stream(stream)),
             "cudaMemcpyAsync", std::to_string(bytes) + " bytes to the host");
}

void PinnedMemory::send(void* device, std::size_t begin, std::size_t bytes,
                        DeviceStream stream) const {
  check_cuda(cudaMemcpyAsync(device, static_cast<const std::byte*>(data_) + begin, bytes,
                             cudaMemcpyHostToDevice, cuda_stream(stream)),
             "cudaMemcpyAsync", std::to_string(bytes) + " bytes to the device");
}

OwnedStream::OwnedStream(const char* what) {
  check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking),
             "cudaStreamCreateWithFlags", what);
}

void OwnedStream::destroy(DeviceStream stream) noexcept {
  static_cast<void>(cudaStreamDestroy(stream));
}

OwnedEvent::OwnedEvent(const char* what) {
  check_cuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreateWithFlags",
             what);
}

void OwnedEvent::destroy(CUevent_st* event) noexcept {
  static_cast<void>(cudaEventDestroy(event));
}

void OwnedEvent::record(DeviceStream stream) {
  check_cuda(cudaEventRecord(event_, cuda_stream(stream)), "cudaEventRecord", "a moment");
}

void OwnedEvent::wait(const std::string& what) const {
  check_cuda(cudaEventSynchronize(event_), "cudaEventSynchronize", what);
}

void synchronize_device(const std::string& what, DeviceStream stream) {
  check_cuda(cudaStreamSynchronize(cuda_stream(stream)), "cudaStreamSynchronize", what);
}

}  // namespace nodia
