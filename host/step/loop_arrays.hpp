/// The memory of the V-FPI loop in one place of memory, the host's or the device's, and where each
/// environment's part of it begins.
#pragma once

#include <vector>

#include "host/base/aligned_vector.hpp"
#include "kernels/vfpi/environment.hpp"

namespace nodia {

struct HostMemory : Owned<AlignedVector> {};

/// Sizes of an environment and where its parts begin.
struct LoopRange : LoopCounts, LoopOffsets {};

/// [n_env + 1]; the last one's offsets are where the arrays end.
using LoopRanges = std::vector<LoopRange>;

template <class Offsets>
bool is_needed(const Field<Offsets>& field, const LoopNeeds& needs) {
  return field.needed == nullptr || needs.*field.needed;
}

/// Values of an array that is needed. @param end  of LoopRanges
template <class Offsets>
std::size_t size_of(const Field<Offsets>& field, const LoopOffsets& end) {
  return static_cast<std::size_t>(end.*field.first * field.length);
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
