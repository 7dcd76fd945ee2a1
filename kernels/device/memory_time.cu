/// Measurement of the device's memory bandwidth.
#include "kernels/device/memory_time.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "kernels/device/device_buffer.hpp"
#include "kernels/device/phase_launch.cuh"
#include "kernels/device/stream.cuh"

namespace nodia {
namespace {

constexpr const char* kWhat = "memory time";
constexpr int kRepeats = 9;

/// Words that each thread loads concurrently.
constexpr int kAhead = 4;

__global__ void fill_kernel(ulonglong2* word, std::size_t n) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    word[i] = {0x9e3779b97f4a7c15ULL * (i + 1), 0xd1b54a32d192ed03ULL * (i + 1)};
}

/// Reads past the first-level caches. `sink` is never written, but the compiler cannot know that.
__global__ void read_kernel(const ulonglong2* word, std::size_t n, int n_pass,
                            unsigned long long* sink) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const auto value = [](ulonglong2 w) { return w.x ^ w.y; };
  unsigned long long sum = 0;
  for (int pass = 0; pass < n_pass; ++pass) {
    std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + (kAhead - 1) * stride < n; i += kAhead * stride) {
      ulonglong2 w[kAhead];
#pragma unroll
      for (int k = 0; k < kAhead; ++k) w[k] = __ldcg(word + i + k * stride);
#pragma unroll
      for (int k = 0; k < kAhead; ++k) sum += value(w[k]);
    }
    for (; i < n; i += stride) sum += value(__ldcg(word + i));
  }
  if (sum == 1) *sink = sum;
}

__global__ void copy_kernel(const ulonglong2* from, ulonglong2* to, std::size_t n, int n_pass) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (int pass = 0; pass < n_pass; ++pass) {
    std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + (kAhead - 1) * stride < n; i += kAhead * stride) {
      ulonglong2 w[kAhead];
#pragma unroll
      for (int k = 0; k < kAhead; ++k) w[k] = __ldcg(from + i + k * stride);
#pragma unroll
      for (int k = 0; k < kAhead; ++k) __stcg(to + i + k * stride, w[k]);
    }
    for (; i < n; i += stride) __stcg(to + i, __ldcg(from + i));
  }
}

/// Median time of one pass [s]. The difference of a run of 1 + n_pass passes and a run of one pass
/// contains neither the launch nor the timer.
/// @param run  launches a kernel that makes the given number of passes
double s_per_pass(const OwnedStream& stream, int n_pass, const std::function<void(int)>& run) {
  StreamEvent start(kWhat), end(kWhat);
  const auto time_s = [&](int n) {
    start.record(stream.get());
    run(n);
    end.record(stream.get());
    return end.s_since(start);
  };
  time_s(1 + n_pass);
  std::vector<double> pass_s;
  for (int r = 0; r < kRepeats; ++r) {
    const double one_s = time_s(1);
    pass_s.push_back((time_s(1 + n_pass) - one_s) / n_pass);
  }
  std::sort(pass_s.begin(), pass_s.end());
  return pass_s[kRepeats / 2];
}

/// Launches as many blocks as the device holds at once.
template <class... Parameter, class... Argument>
void launch_full(const char* name, void (*kernel)(Parameter...), const OwnedStream& stream,
                 const Argument&... argument) {
  launch_blocks(name, kernel, most_resident_blocks(kWhat), stream.get(), argument...);
}

/// Makes words of 16 bytes that are all nonzero.
DeviceBuffer<ulonglong2> filled(std::size_t bytes, const OwnedStream& stream) {
  DeviceBuffer<ulonglong2> word(std::max<std::size_t>(bytes / sizeof(ulonglong2), 1));
  launch_full("fill_kernel", fill_kernel, stream, word.data(), word.size());
  return word;
}

/// Number of passes over `bytes` that makes the launch time negligible.
int pass_count(std::size_t bytes) {
  return static_cast<int>(
      std::clamp<std::size_t>((std::size_t{8} << 30) / std::max<std::size_t>(bytes, 1), 4, 4000));
}

}  // namespace

double device_read_time_s(std::size_t bytes) {
  const OwnedStream stream(kWhat);
  const DeviceBuffer<ulonglong2> word = filled(bytes, stream);
  DeviceBuffer<unsigned long long> sink(1);
  return s_per_pass(stream, pass_count(bytes), [&](int n) {
    launch_full("read_kernel", read_kernel, stream, word.data(), word.size(), n, sink.data());
  });
}

double device_copy_time_s(std::size_t bytes) {
  const OwnedStream stream(kWhat);
  const DeviceBuffer<ulonglong2> from = filled(bytes / 2, stream);
  DeviceBuffer<ulonglong2> to = filled(bytes / 2, stream);
  return s_per_pass(stream, pass_count(bytes), [&](int n) {
    launch_full("copy_kernel", copy_kernel, stream, from.data(), to.data(), from.size(), n);
  });
}

}  // namespace nodia
