/// Cases of `nodia bench` that are measured in rounds, one after the other, so that their ratios
/// come from the same times.
#pragma once

#include <functional>
#include <vector>

#include "kernels/core/stopwatch.hpp"
#include "tools/benchmarks/bench.hpp"

namespace nodia::studies {

/// Takes one sample. @return its time [s]
using SampleTime = std::function<double()>;

/// A case that is measured once per round.
struct Contestant {
  Row row;
  SampleTime sample_s;  ///< time per iteration
  std::vector<double> s = {};
};

/// Time of one call [s].
template <class Call>
double seconds_of(const Call& call) {
  const Stopwatch watch;
  call();
  return watch.seconds();
}

/// @param calls  runs the product the given number of times, and waits for its end
Contestant product_contestant(const Row& row, std::function<void(int)> calls);

/// Measures all of them in every round.
/// @return for each the median of its times over those of the reference in the same rounds;
///         kNotMeasured without a reference
/// @param reference  one of them; may be null
std::vector<double> run_rounds(const std::vector<Contestant*>& contestants,
                               const Contestant* reference, int rounds);

/// Times of a batch and of its environments one after another.
struct PairedTimes {
  std::vector<double> batch_s;  ///< one per pair
  std::vector<double> speedup;  ///< time of the environments over that of the batch
};

/// Measures pairs. Their order alternates, so that neither has the warmer caches.
/// @param alone_s  empty: measures the batch only
PairedTimes time_pairs(int n, const SampleTime& batch_s, const SampleTime& alone_s);

/// Reports the row with the median of the samples and the speeds that follow from its bytes.
void report(Contestant* contestant, const BenchListener& listener);

}  // namespace nodia::studies
