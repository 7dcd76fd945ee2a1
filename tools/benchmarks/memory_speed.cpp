#include "tools/benchmarks/memory_speed.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/core/stopwatch.hpp"

namespace nodia::studies {
namespace {

/// Sum of the bits of 64-bit words in eight independent lanes: reads as fast as the machine can.
std::uint64_t sum_words(const std::uint64_t* word, std::size_t n) {
  std::uint64_t lane[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int l = 0; l < 8; ++l) lane[l] += word[i + l];
  std::uint64_t sum = 0;
  for (; i < n; ++i) sum += word[i];
  for (std::uint64_t l : lane) sum += l;
  return sum;
}

/// The least time of several passes [s]. pass(begin, end) works on that share of `n` words.
template <class Pass>
double least_time_s(std::size_t n, std::size_t bytes, int n_thread, const Pass& pass) {
  const auto all = [&] {
#pragma omp parallel for schedule(static) num_threads(n_thread) if (n_thread > 1)
    for (int t = 0; t < n_thread; ++t) pass(t, n * t / n_thread, n * (t + 1) / n_thread);
  };
  all();
  const int repeats = static_cast<int>(
      std::clamp<std::size_t>((std::size_t{2} << 30) / std::max<std::size_t>(bytes, 1), 5, 2000));
  double least = 1e300;
  for (int r = 0; r < repeats; ++r) {
    const Stopwatch watch;
    all();
    least = std::min(least, watch.seconds());
  }
  return least;
}

}  // namespace

double read_time_s(std::size_t bytes, int n_thread) {
  const std::size_t n = std::max<std::size_t>(bytes / sizeof(std::uint64_t), 64);
  std::vector<std::uint64_t> buffer(n, 1);
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(n_thread));
  const double least =
      least_time_s(n, bytes, n_thread, [&](int t, std::size_t begin, std::size_t end) {
        sums[t] = sum_words(buffer.data() + begin, end - begin);
      });
  std::uint64_t total = 0;
  for (std::uint64_t s : sums) total += s;
  return total == n ? least : 0.0;  // the sum is used, so that it is computed
}

double copy_time_s(std::size_t bytes, int n_thread) {
  const std::size_t n = std::max<std::size_t>(bytes / 2 / sizeof(std::uint64_t), 64);
  std::vector<std::uint64_t> from(n, 1), to(n, 0);
  const double least =
      least_time_s(n, bytes, n_thread, [&](int, std::size_t begin, std::size_t end) {
        std::memcpy(to.data() + begin, from.data() + begin, (end - begin) * sizeof(std::uint64_t));
      });
  return to.front() + to.back() == 2 ? least : 0.0;
}

std::size_t private_cache_bytes() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index2/size");
  std::size_t size = 0;
  char unit = ' ';
  if (!(file >> size)) return 0;
  file >> unit;
  return size * (unit == 'K' ? 1024 : unit == 'M' ? 1024 * 1024 : 1);
}

}  // namespace nodia::studies
