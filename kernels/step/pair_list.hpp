/// Functions of the list of soft-soft pairs of a step.
#pragma once

#include "kernels/step/pair_contacts.hpp"

namespace nodia {

/// Number of pairs in the list.
template <class Memory>
NODIA_HD std::int32_t listed_pairs(const PairBatch& pairs, Memory memory) {
  const std::int32_t n = memory.read(pairs.n_selected);
  return n < pairs.capacity ? n : pairs.capacity;
}

/// First pair of the list whose slot is at least `slot`.
template <class Memory>
NODIA_HD std::int32_t first_pair_from(const PairBatch& pairs, std::int32_t slot, Memory memory) {
  std::int32_t begin = 0;
  for (std::int32_t end = listed_pairs(pairs, memory); begin < end;) {
    const std::int32_t middle = begin + (end - begin) / 2;
    if (memory.read(pairs.slot + middle) < slot)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

/// Environment of a search.
NODIA_HD int environment_of(const PairedSurfaces& paired, int n_env, std::int32_t search) {
  int e = 0;
  for (int end = n_env; end - e > 1;) {
    const int middle = e + (end - e) / 2;
    (paired.first_search[middle] <= search ? e : end) = middle;
  }
  return e;
}

/// First slot of an environment with searches; KeptPair::slot is relative to it.
NODIA_HD std::int32_t first_slot_of(const PairedSurfaces& paired, int e) {
  return paired.pairs.slots[paired.first_search[e]].first;
}

}  // namespace nodia
