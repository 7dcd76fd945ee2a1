/// Detection as kernels: pairs of nodes and obstacles in slots, slot = node n_obstacle + obstacle,
/// so that ascending slots are pairs ordered by (node, obstacle).
#pragma once

#include "kernels/collision/obstacle.hpp"
#include "kernels/core/numbers.hpp"
#include "kernels/launch/reduction.hpp"

namespace nodia {

/// Vectors of nodes, `stride` scalars apart: kNodeStride, or 3.
struct NodeVectors {
  const double* value = nullptr;
  int stride = kNodeStride;

  template <class Memory>
  NODIA_HD Vec3d read(int node, Memory memory) const {
    const double* p = value + static_cast<std::int64_t>(stride) * node;
    return {memory.read(p), memory.read(p + 1), memory.read(p + 2)};
  }
  /// Of nodes [first, end) in the first lanes, of the last of them in the others.
  template <class P, class Memory>
  NODIA_HD Vec3<P> read_lanes(int first, int end, Memory memory) const {
    constexpr int kLanes = static_cast<int>(sizeof(P) / sizeof(double));
    Vec3<P> lanes;
    for (int l = 0; l < kLanes; ++l) {
      const Vec3d node = read(first + l < end ? first + l : end - 1, memory);
      set_lane(&lanes.x, l, node.x);
      set_lane(&lanes.y, l, node.y);
      set_lane(&lanes.z, l, node.z);
    }
    return lanes;
  }
};

/// What the kernels of one detection read and write.
struct DetectionView {
  int n_node = 0, n_obstacle = 0;
  DetectionReach reach;
  NodeVectors x;                            ///< positions [m]
  NodeVectors v;                            ///< velocities [m/s]
  NodeVectors v_free;                       ///< PointMotion::free [m/s]
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
    return {v.read(node, memory), v_free.read(node, memory)};
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
  static constexpr PhaseShape shape(int) { return {}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }

  template <int, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    const int first = item * kBlockLanes + lane;
    if (first >= view.n_node) return;
    const int last = first + Isa::kLanes;
    const int end = last < view.n_node ? last : view.n_node;
    const auto x = view.x.template read_lanes<Lanes<double, Isa>>(first, end, memory);
    for (int k = 0; k < view.n_obstacle; ++k) {
      const PreparedObstacle obstacle = memory.read(view.prepared + k);
      const auto may_be_near = obstacle.may_be_near(x);
      for (int node = first; node < end; ++node) {
        const bool is_near = lane_of(may_be_near, node - first) && finds(obstacle, node, memory);
        memory.write(view.flag + node * view.n_obstacle + k,
                     static_cast<std::uint8_t>(is_near ? 1 : 0));
      }
    }
  }

 private:
  template <class Memory>
  NODIA_HD bool finds(const PreparedObstacle& obstacle, int node, Memory memory) const {
    ProximityPair pair;
    return find_proximity(obstacle, view.x.read(node, memory), view.motion(node, memory),
                          view.reach, &pair);
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
    find_proximity(memory.read(view.prepared + pair.obstacle), view.x.read(pair.node, memory),
                   view.motion(pair.node, memory), view.reach, &pair);
    memory.write(view.pair + index, pair);
  }
};

/// The launches of a detection, in their order; the same for every launcher. Between the two
/// select_flagged or its twin on the device fills view.slot and view.n_pair.
/// @param launcher  launch(name, kernel, n_item) runs a kernel; launches follow each other
template <class Launcher>
void launch_flags(Launcher&& launcher, const DetectionView& view) {
  const int n_chunk = item_count(view.n_node);
  launcher.launch("largest_speeds", LargestSpeeds{view}, n_chunk);
  launcher.launch("prepare_obstacles", PrepareObstacles{view}, 1);
  launcher.launch("flag_pairs", FlagPairs{view}, n_chunk);
}
template <class Launcher>
void launch_pairs(Launcher&& launcher, const DetectionView& view) {
  launcher.launch("write_pairs", WritePairs{view}, item_count(view.capacity));
}

}  // namespace nodia
