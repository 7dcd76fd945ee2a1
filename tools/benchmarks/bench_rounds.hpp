/// Cases of `nodia bench` that are measured in rounds, one after the other, so that their ratios
/// come from the same moments.
#pragma once

#include <functional>
#include <vector>

#include "tools/benchmarks/bench.hpp"

namespace nodia::studies {

/// A case that is measured once a round.
struct Contestant {
  BenchRow row;
  std::function<double()> sample_s;  ///< seconds per iteration
  std::vector<double> s;
};

/// @param calls  runs the product so many times, to its end
Contestant product_contestant(const BenchRow& row, std::function<void(int)> calls);

/// Measures all of them in every round.
/// @return of each the median of its times over those of the reference in the same rounds;
///         kNotMeasured where there is none
/// @param reference  one of them; may be null
std::vector<double> run_rounds(const std::vector<Contestant*>& contestants,
                               const Contestant* reference, int rounds);

/// The row of samples that have been taken, with what follows from its bytes.
void report(Contestant* contestant, const BenchListener& listener);

}  // namespace nodia::studies
