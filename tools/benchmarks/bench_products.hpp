/// Products y = A x on the GPU, in the loop's format and by cuSPARSE, for `nodia bench`.
#pragma once

#include <string>
#include <vector>

#include "kernels/device/cusparse.hpp"
#include "tools/benchmarks/bench_cases.hpp"
#include "tools/benchmarks/bench_rounds.hpp"

namespace nodia::studies {

/// Checks each product against A x and measures it in rounds. Reports a product that is absent, or
/// differs from A x by more than rounding, as not measured.
/// @param precision  double_ or float_
/// @param library    null: `absent` is the reason
/// @return the measured products, for report()
std::vector<Contestant> measure_products(const SlidingMat& mat, Precision precision,
                                         const Cusparse* library, const std::string& absent,
                                         const BenchOptions& options,
                                         const BenchListener& listener);

}  // namespace nodia::studies
