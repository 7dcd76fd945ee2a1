/// Finds the pairs that have nodes in a row of the loop, and the contact index of a pair.
#pragma once

#include "kernels/step/pair_contacts.hpp"
#include "kernels/step/soft_contacts.hpp"

namespace nodia {

/// PairBatch::key of a row of an environment.
NODIA_HD std::uint64_t pair_key(int e, std::int32_t row) {
  return static_cast<std::uint64_t>(e) << 32 | static_cast<std::uint32_t>(row);
}

/// Calls visit(pair, place) for the nodes of pairs in row `row` of the loop, ascending. Needs
/// PairBatch::sorted_item. `pair` is an index in the list, `place` the position among the nodes of
/// side 0, then side 1.
template <class Precision, class Visit, class Memory>
NODIA_HD void for_node_pairs(const SoftStepBatch<Precision>& batch, int e, std::int32_t row,
                             const Visit& visit, Memory memory) {
  const PairBatch& pairs = batch.pairs;
  const std::int32_t n = kPairNodes * pairs.capacity;
  const std::uint64_t key = pair_key(e, row);
  std::int32_t begin = 0, end = n;
  while (begin < end) {
    const std::int32_t middle = begin + (end - begin) / 2;
    if (memory.read(pairs.sorted_key + middle) < key)
      begin = middle + 1;
    else
      end = middle;
  }
  for (; begin < n && memory.read(pairs.sorted_key + begin) == key; ++begin) {
    const std::int32_t item = memory.read(pairs.sorted_item + begin);
    visit(item / kPairNodes, item % kPairNodes);
  }
}

/// Contact index of a pair of environment e in the loop. Valid after its contacts are written.
template <class Precision, class Memory>
NODIA_HD std::int32_t coupled_slot_of(const SoftStepBatch<Precision>& batch, int e,
                                      std::int32_t pair, Memory memory) {
  const PairCounts counts = memory.read(batch.pairs.counts + e);
  return memory.read(&batch.env[e].first_coupled_slot) + counts.n_world_slot + pair - counts.first;
}

}  // namespace nodia
