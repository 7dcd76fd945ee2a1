/// Detection as kernels: pairs of nodes and obstacles in slots, slot = node n_obstacle + obstacle,
/// so that ascending slots are pairs ordered by (node, obstacle).
#pragma once

#include "kernels/collision/obstacle.hpp"
#include "kernels/core/numbers.hpp"
#include "kernels/launch/reduction.hpp"

namespace nodia {

/// What the kernels of one detection read and write.
struct DetectionView {
  int n_node = 0, n_obstacle = 0;
  DetectionReach reach;
  const double* x = nullptr;                ///< positions as nodes [m]
  const double* v = nullptr;                ///< velocities as nodes [m/s]
  const double* v_free = nullptr;           ///< PointMotion::free as nodes [m/s]
  const ObstaclePose* obstacle = nullptr;   ///< [n_obstacle]
  double* largest_squared_speed = nullptr;  ///< [item_count(n_node)], of chunks of nodes [m^2/s^2]
  PreparedObstacle* prepared = nullptr;     ///< [n_obstacle]
  std::uint8_t* flag = nullptr;             ///< [n_slot()]: 1 where the slot's pair is near
  std::int32_t* slot = nullptr;             ///< [n_slot()]: flagged slots, ascending
  std::int32_t* n_pair = nullptr;           ///< number of flagged slots
  int capacity = 0;                         ///< pairs that `pair` has room for
  ProximityPair* pair = nullptr;            ///< [capacity]: the first of the pairs, in order

  NODIA_HD int n_slot() const { return n_node * n_obstacle; }
  template <class Memory>
  NODIA_HD PointMotion motion(int node, Memory memory) const {
    return {memory.template load_node<double>(v, node),
            memory.template load_node<double>(v_free, node)};
  }
};

/// Largest squared speed of a chunk of nodes.
struct LargestSpeeds {
  DetectionView view;

  using Shared = BlockReduction<Combine::max>;
  static constexpr int kPhases = 2 + Shared::kSteps;
  static constexpr PhaseShape shape(int phase) {
    if (phase == 0) return {kBlockLanes, false};
    return phase <= Shared::kSteps ? Shared::shape(phase - 1) : PhaseShape{1, false};
  }
  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      const int node = item * kBlockLanes + lane;
      double squared = 0;
      if (node < view.n_node) squared = squared_speed(view.motion(node, memory));
      memory.write(&shared.term[0][lane], squared);
    } else if constexpr (phase <= Shared::kSteps) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      memory.write(view.largest_squared_speed + item, shared.result(0, memory));
    }
  }
};

/// One item: the largest speed of all nodes, then the obstacles, dealt out to the lanes.
struct PrepareObstacles {
  DetectionView view;

  using Shared = BlockReduction<Combine::max>;
  static constexpr int kPhases = 2 + Shared::kSteps;
  static constexpr PhaseShape shape(int phase) {
    if (phase == 0 || phase > Shared::kSteps) return {kBlockLanes, false};
    return Shared::shape(phase - 1);
  }
  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      double squared = 0;
      for (int c = lane; c < item_count(view.n_node); c += kBlockLanes)
        squared = larger(memory.read(view.largest_squared_speed + c), squared);
      memory.write(&shared.term[0][lane], squared);
    } else if constexpr (phase <= Shared::kSteps) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      const double speed = std::sqrt(shared.result(0, memory));
      for (int k = lane; k < view.n_obstacle; k += kBlockLanes)
        memory.write(view.prepared + k,
                     prepare_obstacle(memory.read(view.obstacle + k), speed, view.reach));
    }
  }
};

/// Flags of the slots of a chunk of nodes, one lane per node.
struct FlagPairs {
  DetectionView view;

  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }

  template <int, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    const int node = item * kBlockLanes + lane;
    if (node >= view.n_node) return;
    const Vec3d x = memory.template load_node<double>(view.x, node);
    const PointMotion v = view.motion(node, memory);
    for (int k = 0; k < view.n_obstacle; ++k) {
      ProximityPair pair;
      const bool is_near = find_proximity(memory.read(view.prepared + k), x, v, view.reach, &pair);
      memory.write(view.flag + node * view.n_obstacle + k,
                   static_cast<std::uint8_t>(is_near ? 1 : 0));
    }
  }
};

/// Pairs of the selected slots, one lane per pair. They are found again: a few of many slots are
/// near, and storing all of them would take more memory than the model.
struct WritePairs {
  DetectionView view;

  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    return item * kBlockLanes < memory.read(view.n_pair);
  }

  template <int, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    const int index = item * kBlockLanes + lane;
    if (index >= memory.read(view.n_pair) || index >= view.capacity) return;
    const std::int32_t slot = memory.read(view.slot + index);
    ProximityPair pair;
    pair.node = slot / view.n_obstacle;
    pair.obstacle = slot % view.n_obstacle;
    find_proximity(memory.read(view.prepared + pair.obstacle),
                   memory.template load_node<double>(view.x, pair.node),
                   view.motion(pair.node, memory), view.reach, &pair);
    memory.write(view.pair + index, pair);
  }
};

/// The launches of a detection, in their order; the same for every launcher.
/// @param launcher  launch(name, kernel, n_item) runs a kernel; launches follow each other
/// @param select    select(flag, n, slot, n_selected): select_flagged or its twin on the device
template <class Launcher, class Select>
void launch_detection(Launcher&& launcher, const DetectionView& view, const Select& select) {
  const int n_chunk = item_count(view.n_node);
  launcher.launch("largest_speeds", LargestSpeeds{view}, n_chunk);
  launcher.launch("prepare_obstacles", PrepareObstacles{view}, 1);
  launcher.launch("flag_pairs", FlagPairs{view}, n_chunk);
  select(view.flag, view.n_slot(), view.slot, view.n_pair);
  launcher.launch("write_pairs", WritePairs{view}, item_count(view.capacity));
}

}  // namespace nodia
