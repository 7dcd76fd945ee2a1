/// Runs the kernels of kernels/collision/detect_nodes.hpp for several environments at once.
#pragma once

#include "kernels/launch/resident_blocks.hpp"
#include "kernels/step/soft_contacts.hpp"

namespace nodia {

/// Runs a detection kernel in every environment: item e n_item + k is item k of environment e.
/// Items beyond the environment's chunks of nodes do nothing.
template <class Kernel>
struct InEveryDetection {
  static constexpr int kLeastResidentBlocks = least_resident_blocks<Kernel>();
  const SoftContacts* contacts = nullptr;
  int n_item = 1;  ///< maximum over the environments

  using Shared = typename Kernel::Shared;
  static constexpr int kPhases = Kernel::kPhases;
  static constexpr PhaseShape shape(int phase) { return Kernel::shape(phase); }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory) const {
    return item % n_item < item_count(contacts[item / n_item].near.n_node);
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const Kernel kernel{contacts[item / n_item].near};
    kernel.template run<phase, Isa>(item % n_item, lane, shared, memory);
  }
};

/// Prepares the obstacles and flags all candidate pairs, whatever their surfaces.
template <class Launcher, class Precision>
void launch_near_places(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  const int n_chunk = item_count(batch.n_node);
  if (n_chunk == 0) return;
  launcher.launch("largest_speeds", InEveryDetection<LargestSpeeds>{batch.contacts, n_chunk},
                  batch.n_env * n_chunk);
  launcher.launch("prepare_obstacles", InEveryDetection<PrepareObstacles>{batch.contacts, 1},
                  batch.n_env);
  launcher.launch("flag_pairs", InEveryDetection<FlagPairs>{batch.contacts, n_chunk},
                  batch.n_env * n_chunk);
}

}  // namespace nodia
