/// The memory of the V-FPI loop in one place of memory, the host's or the device's, and where each
/// environment's part of it begins.
#pragma once

#include <vector>

#include "host/solvers/linear/aligned_vector.hpp"
#include "kernels/vfpi/environment.hpp"

namespace nodia {

struct HostMemory : Owned<AlignedVector> {};

/// Sizes of an environment and where its parts begin.
struct LoopRange : LoopCounts, LoopOffsets {};

/// [n_env + 1]; the last one's offsets are where the arrays end.
using LoopRanges = std::vector<LoopRange>;

/// Sizes every array that is needed; new memory is zero.
/// @param end  of LoopRanges
template <class Precision, class Space>
void resize(LoopArrays<Precision, Space>* arrays, const LoopOffsets& end, const LoopNeeds& needs) {
  LoopArrays<Precision, Space>::each(
      [&](const auto& field, auto& array) {
        if (field.needed == nullptr || needs.*field.needed)
          array.resize(static_cast<std::size_t>(end.*field.first * field.length));
      },
      *arrays);
}

/// One environment of the arrays, without its facts.
/// @param block_value  values of A, where the arrays lie; may be null
template <class Precision, class Space>
VfpiEnvironment<Precision> environment_of(LoopArrays<Precision, Space>* arrays,
                                          const LoopRange& range, const double* block_value) {
  VfpiEnvironment<Precision> env;
  static_cast<LoopCounts&>(env) = range;
  LoopArrays<Precision, Views>::each(
      [&](const auto& field, auto& view, auto& array) {
        view = array.data() == nullptr ? nullptr : array.data() + range.*field.first * field.length;
      },
      env, *arrays);
  if (block_value != nullptr) env.block_value = block_value + 9 * range.first_block_of_A;
  return env;
}

}  // namespace nodia
