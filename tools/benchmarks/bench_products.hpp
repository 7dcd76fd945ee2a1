/// Products y = A x on the device: the loop's and cuSPARSE's, for `nodia bench`.
#pragma once

#include <string>
#include <vector>

#include "kernels/device/cusparse.hpp"
#include "tools/benchmarks/bench_cases.hpp"
#include "tools/benchmarks/bench_rounds.hpp"

namespace nodia::studies {

/// Checked against A x, then measured in rounds: what bench_products reports of a precision. What
/// cannot be had, and what is not A x to rounding, is told as not measured.
/// @param precision  double_ or float_
/// @param library    null: `absent` says why there is none
std::vector<Contestant> measure_products(const SlidingMat& mat, Precision precision,
                                         const Cusparse* library, const std::string& absent,
                                         const BenchOptions& options,
                                         const BenchListener& listener);

}  // namespace nodia::studies
