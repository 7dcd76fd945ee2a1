/// Compaction with own kernels, for recordings, which cannot use a library's temporary memory
/// (kernels/device/select_flagged.hpp).
#pragma once

#include <cstdint>

#include "kernels/launch/element_kernel.hpp"

namespace nodia {

/// First `capacity` indices i with flag[i] != 0, ascending, and the number of all set flags.
struct FlagSelection {
  static constexpr int kOfLane = 8;  ///< flags per lane
  static constexpr int kOfChunk = kOfLane * kBlockLanes;

  int n = 0;                           ///< number of flags
  const std::uint8_t* flag = nullptr;  ///< [n]
  std::int32_t* count = nullptr;       ///< [n_chunk()]: set flags of the chunk
  std::int32_t* first = nullptr;       ///< [n_chunk()]: set flags of all earlier chunks
  int capacity = 0;
  std::int32_t* selected = nullptr;    ///< output: [capacity]
  std::int32_t* n_selected = nullptr;  ///< output, one value; may exceed the capacity

  bool operator==(const FlagSelection&) const = default;

  static int n_chunk(int n) { return n / kOfChunk + (n % kOfChunk != 0 ? 1 : 0); }
  int n_chunk() const { return n_chunk(n); }

  /// Calls visit(index) for the set flags of a lane of a chunk, ascending.
  template <class Visit, class Memory>
  NODIA_HD void for_each_of_lane(int chunk, int lane, const Visit& visit, Memory memory) const {
    const int begin = chunk * kOfChunk + lane * kOfLane;
    for (int i = begin; i < begin + kOfLane && i < n; ++i)
      if (memory.read(flag + i) != 0) visit(i);
  }
};

/// Counts of a block's lanes.
struct LaneCounts {
  std::int32_t of_lane[kBlockLanes];

  /// Replaces each count by the sum of those before it. @return the sum of all
  template <class Memory>
  NODIA_HD std::int32_t sum_up(Memory memory) {
    std::int32_t sum = 0;
    for (int l = 0; l < kBlockLanes; ++l) {
      const std::int32_t own = memory.read(&of_lane[l]);
      memory.write(&of_lane[l], sum);
      sum += own;
    }
    return sum;
  }
};

/// Computes FlagSelection::count; one item per chunk.
struct CountFlags {
  FlagSelection selection;

  using Shared = LaneCounts;
  static constexpr int kPhases = 2;
  static constexpr PhaseShape shape(int phase) { return {phase == 0 ? kBlockLanes : 1, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class, class Memory>
  NODIA_HD void run(int chunk, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      std::int32_t count = 0;
      selection.for_each_of_lane(
          chunk, lane, [&](int) { ++count; }, memory);
      memory.write(&shared.of_lane[lane], count);
    } else {
      memory.write(selection.count + chunk, shared.sum_up(memory));
    }
  }
};

/// Computes FlagSelection::first and n_selected; one item, each lane handles consecutive chunks.
struct SumCounts {
  FlagSelection selection;
  int n_chunk = 0;

  using Shared = LaneCounts;
  static constexpr int kPhases = 3;
  static constexpr PhaseShape shape(int phase) { return {phase == 1 ? 1 : kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class, class Memory>
  NODIA_HD void run(int, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 1) {
      memory.write(selection.n_selected, shared.sum_up(memory));
    } else {
      const int of_lane = item_count(n_chunk), begin = lane * of_lane;
      std::int32_t sum = phase == 0 ? 0 : memory.read(&shared.of_lane[lane]);
      for (int c = begin; c < begin + of_lane && c < n_chunk; ++c) {
        if constexpr (phase == 2) memory.write(selection.first + c, sum);
        sum += memory.read(selection.count + c);
      }
      if constexpr (phase == 0) memory.write(&shared.of_lane[lane], sum);
    }
  }
};

/// Writes FlagSelection::selected; one item per chunk.
struct WriteSelected {
  FlagSelection selection;

  using Shared = LaneCounts;
  static constexpr int kPhases = 3;
  static constexpr PhaseShape shape(int phase) { return {phase == 1 ? 1 : kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int chunk, Memory memory) const {
    return memory.read(selection.count + chunk) > 0;
  }
  template <int phase, class, class Memory>
  NODIA_HD void run(int chunk, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      std::int32_t count = 0;
      selection.for_each_of_lane(
          chunk, lane, [&](int) { ++count; }, memory);
      memory.write(&shared.of_lane[lane], count);
    } else if constexpr (phase == 1) {
      shared.sum_up(memory);
    } else {
      std::int32_t place =
          memory.read(selection.first + chunk) + memory.read(&shared.of_lane[lane]);
      const auto take = [&](int i) {
        if (place < selection.capacity) memory.write(selection.selected + place, i);
        ++place;
      };
      selection.for_each_of_lane(chunk, lane, take, memory);
    }
  }
};

/// Launches the selection. @param launcher  launch(name, kernel, n_item)
template <class Launcher>
void launch_selection(Launcher&& launcher, const FlagSelection& selection) {
  const int n_chunk = selection.n_chunk();
  if (n_chunk > 0) launcher.launch("count_flags", CountFlags{selection}, n_chunk);
  launcher.launch("sum_counts", SumCounts{selection, n_chunk}, 1);
  if (n_chunk > 0 && selection.capacity > 0)
    launcher.launch("write_selected", WriteSelected{selection}, n_chunk);
}

}  // namespace nodia
