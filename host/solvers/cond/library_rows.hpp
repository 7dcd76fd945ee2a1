/// A as a library multiplies by it in the place of the loop's kernels: a copy of its own in 3x3
/// blocks, rows of all environments one after another as the loop has them.
#pragma once

#include <optional>
#include <vector>

#include "host/solvers/cond/loop_problem.hpp"
#include "kernels/device/cusparse.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/linalg/device/device_product.hpp"
#include "kernels/vfpi/library/library_gradient.hpp"

namespace nodia {

template <class Precision>
class LibraryRows {
 public:
  /// Opens cuSPARSE.
  /// @throws RuntimeError where it is not here
  explicit LibraryRows(DeviceQueue queue) : queue_(queue) {}
  LibraryRows(const LibraryRows&) = delete;
  LibraryRows& operator=(const LibraryRows&) = delete;

  /// Takes A of a problem that was set; its pattern where rows are new.
  /// @return valid until the next call
  /// @throws RuntimeError where an environment needs more than A in its iterations, or the library
  ///         refuses
  const LibraryProduct<Precision>& set(const LoopProblem<Precision>& problem);

 private:
  using Matrix = typename Precision::Matrix;

  void set_pattern(const LoopProblem<Precision>& problem);

  DeviceQueue queue_;  ///< waits for products likewise: an error names the library's call
  Cusparse library_;
  std::vector<std::int32_t> row_begin_, column_;
  std::vector<std::int32_t> block_;  ///< per block: in the environment's A
  std::vector<double> value_;
  DeviceBuffer<std::int64_t> env_begin_;
  std::optional<CusparseBlocks<Matrix>> blocks_;
  LibraryProduct<Precision> product_;
};

}  // namespace nodia
