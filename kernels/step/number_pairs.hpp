/// Numbers the soft-soft pairs of each environment and their contact nodes, and sorts the nodes of
/// the pairs by row of the loop.
#pragma once

#include "kernels/launch/element_kernel.hpp"
#include "kernels/launch/lane_scan.hpp"
#include "kernels/step/pair_list.hpp"
#include "kernels/step/pair_rows.hpp"

namespace nodia {

/// Environment of a pair of the list.
template <class Precision, class Memory>
NODIA_HD int environment_of_pair(const SoftStepBatch<Precision>& batch, std::int32_t pair,
                                 Memory memory) {
  return environment_of(batch.pairs.paired, batch.n_env,
                        memory.read(&batch.pairs.pair[pair].search));
}

/// Writes PairCounts::first and n, one lane per environment.
template <class Precision>
struct CountPairs : FlatListKernel<CountPairs<Precision>> {
  SoftStepBatch<Precision> batch;

  template <class Memory>
  NODIA_HD void visit(int e, Memory memory) const {
    const PairBatch& pairs = batch.pairs;
    const std::int32_t first = pairs_before(pairs.paired.first_search[e], memory),
                       end = pairs_before(pairs.paired.first_search[e + 1], memory);
    memory.write(&pairs.counts[e].first, first);
    memory.write(&pairs.counts[e].n, end - first);
  }

 private:
  /// Number of pairs whose slots precede those of a search. If the list is too short, the counts of
  /// its construction decide.
  template <class Memory>
  NODIA_HD std::int32_t pairs_before(std::int32_t search, Memory memory) const {
    const PairBatch& pairs = batch.pairs;
    const std::int32_t n_all = memory.read(pairs.n_selected);
    if (search >= pairs.paired.searches.n_search) return n_all;
    const std::int32_t slot = pairs.paired.pairs.slots[search].first;
    return n_all > pairs.capacity ? flags_before(slot, memory)
                                  : first_pair_from(pairs, slot, memory);
  }

  template <class Memory>
  NODIA_HD std::int32_t flags_before(std::int32_t slot, Memory memory) const {
    const FlagSelection& selection = batch.pairs.paired.selection;
    const std::int32_t chunk = slot / FlagSelection::kOfChunk;
    if (slot >= selection.n) return memory.read(batch.pairs.n_selected);
    std::int32_t before = memory.read(selection.first + chunk);
    for (std::int32_t i = chunk * FlagSelection::kOfChunk; i < slot; ++i)
      before += memory.read(selection.flag + i) != 0 ? 1 : 0;
    return before;
  }
};

/// Numbers the points of each environment's pairs: PairContact::first_contact_node, first_part,
/// rows of sides, PairBatch::contact_node_side, and the rest of PairCounts. One item per
/// environment.
template <class Precision>
struct NumberPoints {
  SoftStepBatch<Precision> batch;

  /// Sums over the pairs up to the lane's last one.
  struct Shared {
    LaneScan points, parts;
  };
  static constexpr int kPhases = 2 + LaneScan::kSteps;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int e, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      std::int32_t points = 0, parts = 0;
      for_own_pairs(
          e, lane,
          [&](std::int32_t p) {
            for (int side = 0; side < 2; ++side) {
              const std::int32_t n = part_count(p, side, memory);
              points += n > 0 ? 1 : 0;
              parts += n;
            }
          },
          memory);
      shared.points.put(lane, points, memory);
      shared.parts.put(lane, parts, memory);
    } else if constexpr (phase <= LaneScan::kSteps) {
      shared.points.template add<phase - 1>(lane, memory);
      shared.parts.template add<phase - 1>(lane, memory);
    } else {
      number(e, lane, shared, memory);
    }
  }

 private:
  /// Number of nodes of a side that is a point, else 0.
  template <class Memory>
  NODIA_HD std::int32_t part_count(std::int32_t p, int side, Memory memory) const {
    const std::int32_t n = memory.read(&batch.pairs.pair[p].side[side].n);
    return n > 1 ? n : 0;
  }

  /// Calls visit(pair) for the lane's pairs, which follow the pairs of the lane before it.
  template <class Visit, class Memory>
  NODIA_HD void for_own_pairs(int e, int lane, const Visit& visit, Memory memory) const {
    const PairBatch& pairs = batch.pairs;
    const std::int32_t first = memory.read(&pairs.counts[e].first);
    const std::int32_t n = memory.read(&pairs.counts[e].n);
    const std::int32_t end = first + n < pairs.capacity ? first + n : pairs.capacity;
    if (end <= first) return;
    const std::int32_t share = item_count(end - first), begin = first + lane * share;
    for (std::int32_t p = begin; p < begin + share && p < end; ++p) visit(p);
  }

  template <class Memory>
  NODIA_HD void number(int e, int lane, Shared& shared, Memory memory) const {
    const PairBatch& pairs = batch.pairs;
    const PairRoom& room = pairs.room[e];
    const std::int32_t first_row = batch.env[e].first_contact_node_row;
    std::int32_t point = lane > 0 ? shared.points.result(lane - 1, memory) : 0;
    std::int32_t part = lane > 0 ? shared.parts.result(lane - 1, memory) : 0;
    for_own_pairs(
        e, lane,
        [&](std::int32_t p) {
          PairContact* const pair = pairs.pair + p;
          memory.write(&pair->first_contact_node, point);
          memory.write(&pair->first_part, part);
          for (int side = 0; side < 2; ++side) {
            const std::int32_t n = part_count(p, side, memory);
            if (n == 0) continue;
            memory.write(side == 0 ? &pair->contact.side_i : &pair->contact.side_j,
                         first_row + point);
            if (point < room.n_contact_node)
              memory.write(pairs.contact_node_side + room.first_contact_node + point, 2 * p + side);
            ++point;
            part += n;
          }
        },
        memory);
    if (lane < kBlockLanes - 1) return;
    PairCounts* const counts = pairs.counts + e;
    const std::int32_t n = memory.read(&counts->n);
    const bool fits = memory.read(&counts->first) + n <= pairs.capacity && n <= room.n_pair &&
                      point <= room.n_contact_node;
    memory.write(&counts->n_contact_node, point);
    memory.write(&counts->n_part, part);
    memory.write(&counts->n_listed, fits ? n : 0);
  }
};

/// Writes PairBatch::key and item, sorted within chunks of kBlockLanes entries.
template <class Precision>
struct SortNodesInChunks {
  SoftStepBatch<Precision> batch;
  std::uint64_t* key = nullptr;  ///< output
  std::int32_t* item = nullptr;

  struct Shared {
    std::uint64_t key[kBlockLanes];
  };
  static constexpr int kPhases = 2;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class, class Memory>
  NODIA_HD void run(int chunk, int lane, Shared& shared, Memory memory) const {
    const std::int32_t first = chunk * kBlockLanes;
    if constexpr (phase == 0) {
      memory.write(&shared.key[lane], key_of(first + lane, memory));
    } else {
      if (first + lane >= kPairNodes * batch.pairs.capacity) return;
      const std::uint64_t own = memory.read(&shared.key[lane]);
      int rank = lane;
      if (first < kPairNodes * listed_pairs(batch.pairs, memory)) {
        rank = 0;
        for (int l = 0; l < kBlockLanes; ++l) {
          const std::uint64_t other = memory.read(&shared.key[l]);
          rank += other < own || (other == own && l < lane) ? 1 : 0;
        }
      }
      memory.write(key + first + rank, own);
      memory.write(item + first + rank, first + lane);
    }
  }

 private:
  /// @param place  kPairNodes pair + position among its nodes
  template <class Memory>
  NODIA_HD std::uint64_t key_of(std::int32_t place, Memory memory) const {
    const std::int32_t p = place / kPairNodes;
    if (p >= listed_pairs(batch.pairs, memory)) return ~std::uint64_t{0};
    const PairContact& pair = batch.pairs.pair[p];
    std::int32_t k = place % kPairNodes;
    for (const PairSide& side : pair.side) {
      const std::int32_t n = memory.read(&side.n);
      if (k < n) {
        const int e = environment_of_pair(batch, p, memory);
        return pair_key(e, batch.contacts[e].row[memory.read(side.node + k)]);
      }
      k -= n;
    }
    return ~std::uint64_t{0};
  }
};

/// Merges two sorted runs of nodes into one, one lane per node. The merge is stable.
struct MergeNodes : FlatListKernel<MergeNodes> {
  PairBatch pairs;
  std::int32_t length = 0;  ///< length of a run
  const std::uint64_t* key = nullptr;
  const std::int32_t* item = nullptr;
  std::uint64_t* merged_key = nullptr;  ///< output
  std::int32_t* merged_item = nullptr;

  template <class Memory>
  NODIA_HD void visit(int k, Memory memory) const {
    // Entries from n_used on belong to no pair; they stay behind all others.
    const std::int32_t n_used = kPairNodes * listed_pairs(pairs, memory);
    const std::uint64_t own = memory.read(key + k);
    const std::int32_t run = k / length, in_run = k - run * length;
    const std::int32_t other = (run ^ 1) * length;
    std::int32_t place = k;
    if (k < n_used && other < n_used)
      place = run / 2 * (2 * length) + in_run + before(own, other, (run & 1) != 0, memory);
    memory.write(merged_key + place, own);
    memory.write(merged_item + place, memory.read(item + k));
  }

 private:
  /// Number of nodes of the run starting at `first` that precede a node with key `own`.
  /// @param or_equal  whether nodes with the same key precede it
  template <class Memory>
  NODIA_HD std::int32_t before(std::uint64_t own, std::int32_t first, bool or_equal,
                               Memory memory) const {
    std::int32_t begin = first, end = first + length < n ? first + length : n;
    while (begin < end) {
      const std::int32_t middle = begin + (end - begin) / 2;
      const std::uint64_t at = memory.read(key + middle);
      if (at < own || (or_equal && at == own))
        begin = middle + 1;
      else
        end = middle;
    }
    return begin - first;
  }
};

/// Runs after the selection of the flags and before the pairs are made.
template <class Launcher, class Precision>
void launch_count_pairs(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  if (batch.pairs.capacity == 0) return;
  CountPairs<Precision> count;
  count.batch = batch;
  launch_list(launcher, "count_pairs", count, batch.n_env);
}

/// Numbers the points and sorts the nodes. Runs after the pairs are made.
template <class Launcher, class Precision>
void launch_number_pairs(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  const PairBatch& pairs = batch.pairs;
  const std::int32_t n = kPairNodes * pairs.capacity;
  if (n == 0) return;
  launcher.launch("number_points", NumberPoints<Precision>{batch}, batch.n_env);
  int n_merge = 0;
  for (std::int32_t length = kBlockLanes; length < n; length *= 2) ++n_merge;
  MergeNodes merge;
  merge.pairs = pairs;
  // The last merge writes into the sorted arrays.
  const auto to = [&](bool sorted) {
    merge.merged_key = sorted ? pairs.sorted_key : pairs.key;
    merge.merged_item = sorted ? pairs.sorted_item : pairs.item;
  };
  to(n_merge % 2 == 0);
  launcher.launch("sort_nodes_in_chunks",
                  SortNodesInChunks<Precision>{batch, merge.merged_key, merge.merged_item},
                  item_count(n));
  merge.length = kBlockLanes;
  for (int k = n_merge; k > 0; --k, merge.length *= 2) {
    merge.key = merge.merged_key;
    merge.item = merge.merged_item;
    to(k % 2 == 1);
    launch_list(launcher, "merge_nodes", merge, n);
  }
}

}  // namespace nodia
