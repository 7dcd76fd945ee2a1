#include "tools/benchmarks/bench_rounds.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/device/memory_time.hpp"
#include "tools/benchmarks/memory_speed.hpp"
#include "tools/compare/median.hpp"

namespace nodia::studies {
namespace {

/// Least time of one sample of a product [s]: far above the clock's resolution.
constexpr double kSample_s = 5e-3;

/// Mean time of one of `n` calls in a row [s].
double time_calls_s(int n, const std::function<void(int)>& calls) {
  return seconds_of([&] { calls(n); }) / n;
}

/// Calls that fill a sample.
int calls_per_sample(const std::function<void(int)>& calls) {
  calls(1);
  const double s = time_calls_s(3, calls);
  return std::clamp(static_cast<int>(std::ceil(kSample_s / std::max(s, 1e-9))), 3, 100000);
}

}  // namespace

Contestant product_contestant(const Row& row, std::function<void(int)> calls) {
  const int n = calls_per_sample(calls);
  return {row, [n, calls = std::move(calls)] { return time_calls_s(n, calls); }};
}

std::vector<double> run_rounds(const std::vector<Contestant*>& contestants,
                               const Contestant* reference, int rounds) {
  for (int r = 0; r < rounds; ++r)
    for (Contestant* c : contestants) c->s.push_back(c->sample_s());
  std::vector<double> ratios;
  for (const Contestant* c : contestants) {
    std::vector<double> ratio;
    for (int r = 1; reference != nullptr && r <= rounds; ++r)
      ratio.push_back(c->s[c->s.size() - r] / reference->s[reference->s.size() - r]);
    ratios.push_back(median(ratio));
  }
  return ratios;
}

PairedTimes time_pairs(int n, const SampleTime& batch_s, const SampleTime& alone_s) {
  PairedTimes times;
  for (int pair = 0; pair < n; ++pair) {
    const bool batch_first = pair % 2 == 0;
    double serial_s = batch_first || !alone_s ? 0 : alone_s();
    times.batch_s.push_back(batch_s());
    if (!alone_s) continue;
    if (batch_first) serial_s = alone_s();
    times.speedup.push_back(serial_s / times.batch_s.back());
  }
  return times;
}

void report(Contestant* c, const BenchListener& listener) {
  Row& row = c->row;
  const double s = median(c->s);
  row.at("us_per_iteration") = 1e6 * s;
  if (!row.at("bytes_per_iteration").is_null()) {
    const double moved = row.at("bytes_per_iteration");
    const auto bytes = static_cast<std::size_t>(moved);
    const int threads = row.at("threads");
    const bool on_device = row.at("backend") == name_of(Backend::cuda);
    row.at("gb_per_s") = 1e-9 * moved / s;
    row.at("share_of_copy_bandwidth") =
        (on_device ? device_copy_time_s(bytes) : copy_time_s(bytes, threads)) / s;
    row.at("ratio_to_read_time") =
        s / (on_device ? device_read_time_s(bytes) : read_time_s(bytes, threads));
  }
  listener.row(row);
}

}  // namespace nodia::studies
