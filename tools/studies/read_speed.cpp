#include "tools/studies/read_speed.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/core/launch.hpp"

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

}  // namespace

double read_time_s(std::size_t bytes, int n_thread) {
  const std::size_t n = std::max<std::size_t>(bytes / sizeof(std::uint64_t), 64);
  std::vector<std::uint64_t> buffer(n, 1);
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(n_thread));
  const auto pass = [&] {
    launch(
        n_thread,
        [&](int t) {
          const std::size_t begin = n * t / n_thread, end = n * (t + 1) / n_thread;
          sums[t] = sum_words(buffer.data() + begin, end - begin);
        },
        n_thread);
  };
  pass();
  const int repeats =
      static_cast<int>(std::clamp<std::size_t>((std::size_t{2} << 30) / bytes, 5, 2000));
  double least = 1e300;
  for (int r = 0; r < repeats; ++r) {
    const auto start = std::chrono::steady_clock::now();
    pass();
    least = std::min(
        least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::uint64_t total = 0;
  for (std::uint64_t s : sums) total += s;
  return total == n ? least : 0.0;  // the sum is used, so that it is computed
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
