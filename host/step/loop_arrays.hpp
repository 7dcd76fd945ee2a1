/// Arrays of the V-FPI loop in host or device memory, and the offsets of each environment.
#pragma once

#include <vector>

#include "host/base/aligned_vector.hpp"
#include "kernels/vfpi/environment.hpp"

namespace nodia {

struct HostMemory : Owned<AlignedVector> {};

/// Sizes of an environment, and the first indices of its parts.
struct LoopRange : LoopCounts, LoopOffsets {};

/// [n_env + 1]; the offsets of the last entry are the ends of the arrays.
using LoopRanges = std::vector<LoopRange>;

template <class Offsets>
bool is_needed(const Field<Offsets>& field, const LoopNeeds& needs) {
  return field.needed == nullptr || needs.*field.needed;
}

/// Size of an array if it is needed, else 0. @param end  last entry of LoopRanges
template <class Offsets>
std::size_t size_of(const Field<Offsets>& field, const LoopOffsets& end) {
  return static_cast<std::size_t>(end.*field.first * field.length);
}

/// View of one environment in the arrays, without its facts.
/// @param block_value  values of A in the memory of the arrays; may be null
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
