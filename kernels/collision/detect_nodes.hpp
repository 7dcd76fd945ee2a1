/// Kernels that detect nodes near obstacles. The pair of a node and an obstacle has the slot node
/// n_obstacle + obstacle, so ascending slots are ordered by (node, obstacle).
#pragma once

#include "kernels/collision/obstacle.hpp"
#include "kernels/core/numbers.hpp"
#include "kernels/launch/reduction.hpp"

namespace nodia {

/// Vectors of nodes, `stride` scalars apart: kNodeStride, or 3.
struct NodeVectors {
  const double* value = nullptr;
  int stride = kNodeStride;

  bool operator==(const NodeVectors&) const = default;

  /// Loads one vector per lane, of consecutive nodes.
  template <class P, class Memory>
  NODIA_HD Vec3<P> load(int first, Memory memory) const {
    return stride == kNodeStride ? memory.template load_node<P>(value, first)
                                 : memory.template load_unpadded_node<P>(value, first);
  }
};

/// Data of the kernels of one detection.
struct DetectionView {
  int n_node = 0, n_obstacle = 0;
  DetectionReach reach;
  NodeVectors x;                            ///< positions [m]
  NodeVectors v;                            ///< velocities [m/s]
  NodeVectors v_free;                       ///< PointMotion::free [m/s]
  const ObstaclePose* obstacle = nullptr;   ///< [n_obstacle]
  double* largest_squared_speed = nullptr;  ///< [item_count(n_node)], per chunk of nodes [m^2/s^2]
  PreparedObstacle* prepared = nullptr;     ///< [n_obstacle]
  std::uint8_t* flag = nullptr;             ///< [n_slot()]: 1 if the slot's pair is near
  std::int32_t* slot = nullptr;             ///< [n_slot()]: flagged slots, ascending
  std::int32_t* n_pair = nullptr;           ///< number of flagged slots
  int capacity = 0;                         ///< capacity of `pair`
  NodeHit* pair = nullptr;                  ///< [capacity]: the first pairs, in order

  bool operator==(const DetectionView&) const = default;
  NODIA_HD int n_slot() const { return n_node * n_obstacle; }
  template <class Memory>
  NODIA_HD PointMotion motion(int node, Memory memory) const {
    return {v.load<double>(node, memory), v_free.load<double>(node, memory)};
  }
};

/// Largest squared speed of a chunk of nodes.
struct LargestSpeeds {
  DetectionView view;

  using Shared = BlockReduction<Combine::max>;
  static constexpr int kPhases = 2 + Shared::kSteps;
  static constexpr PhaseShape shape(int phase) {
    if (phase == 0) return {};
    return phase <= Shared::kSteps ? Shared::shape(phase - 1) : PhaseShape{1, false};
  }
  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      using P = Lanes<double, Isa>;
      const int first = item * kBlockLanes + lane, n_left = view.n_node - first;
      P squared = 0;
      if (n_left >= Isa::kLanes)
        squared = squared_speed(view.v.template load<P>(first, memory),
                                view.v_free.template load<P>(first, memory));
      else
        for (int l = 0; l < n_left; ++l) {
          const PointMotion v = view.motion(first + l, memory);
          set_lane(&squared, l, squared_speed(v.now, v.free));
        }
      memory.template store<P>(&shared.term[0][lane], squared);
    } else if constexpr (phase <= Shared::kSteps) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      memory.write(view.largest_squared_speed + item, shared.result(0, memory));
    }
  }
};

/// Computes the largest speed of all nodes, then prepares the obstacles in all lanes. One item.
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

/// Sets the flags of the slots of a chunk of nodes, one lane per node.
struct FlagPairs {
  static constexpr int kLeastResidentBlocks = 1;  // with 2, the distance to meshes would spill
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
    const int first = item * kBlockLanes + lane, n_left = view.n_node - first;
    if (n_left >= Isa::kLanes)
      flag_nodes<Isa>(first, memory);
    else
      for (int l = 0; l < n_left; ++l) flag_nodes<OneLane>(first + l, memory);
  }

 private:
  /// Handles the nodes first .. first + Isa::kLanes - 1.
  template <class Isa, class Memory>
  NODIA_HD void flag_nodes(int first, Memory memory) const {
    const auto x = view.x.template load<Lanes<double, Isa>>(first, memory);
    for (int k = 0; k < view.n_obstacle; ++k) {
      const PreparedObstacle& obstacle = memory.read_in_place(view.prepared + k);
      const std::uint32_t may_be_near = lane_bits(obstacle.may_be_near(x));
      for (int l = 0; l < Isa::kLanes; ++l) {
        const int node = first + l;
        const bool near = (may_be_near >> l & 1) != 0 &&
                          is_near(obstacle, view.x.load<double>(node, memory), view.reach,
                                  [&] { return view.motion(node, memory); });
        memory.write(view.flag + node * view.n_obstacle + k,
                     static_cast<std::uint8_t>(near ? 1 : 0));
      }
    }
  }
};

/// Writes the pairs of the selected slots, one lane per pair. It computes them again: few of many
/// slots are near, and storing all of them would take more memory than the model.
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
    const int node = slot / view.n_obstacle, obstacle = slot % view.n_obstacle;
    NodeHit hit =
        hit_at(memory.read_in_place(view.prepared + obstacle), view.x.load<double>(node, memory));
    hit.node = node;
    hit.obstacle = obstacle;
    memory.write(view.pair + index, hit);
  }
};

/// Launches a detection in order, the same for every launcher. Between the two functions
/// select_flagged, or its counterpart on the device, fills view.slot and view.n_pair.
/// @param launcher  launch(name, kernel, n_item) runs kernels in order
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
