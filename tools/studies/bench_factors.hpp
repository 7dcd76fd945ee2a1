/// A x = b by sparse Cholesky on the device: a baseline that factorises, for `nodia bench`.
#pragma once

#include <optional>
#include <string>

#include "kernels/device/cusolver.hpp"
#include "tools/studies/bench_cases.hpp"
#include "tools/studies/bench_rounds.hpp"

namespace nodia::studies {

/// Checked by its residual, then measured: what bench_factors reports. What cannot be had, or is no
/// solution, is told as not measured; nothing then.
/// @param library  null: `absent` says why there is none
std::optional<Contestant> measure_cusolver(const SlidingMat& mat, const Cusolver* library,
                                           const std::string& absent, const BenchOptions& options,
                                           const BenchListener& listener);

}  // namespace nodia::studies
