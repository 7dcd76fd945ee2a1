/// Kernel that updates the queue of a batch: finished environments leave it, waiting ones enter.
#pragma once

#include "kernels/launch/kernel.hpp"
#include "kernels/vfpi/batch.hpp"

namespace nodia {

/// Lists the chunks of the environments that iterate, in ascending order, and resets the commands
/// of the last test. Has one item; each lane handles consecutive environments. A decision at the
/// end of a kernel (kernels/launch/decision.hpp).
template <class Precision>
struct UpdateQueue {
  const VfpiBatch<Precision>* batch = nullptr;
  VfpiQueue* queue = nullptr;
  bool everyone = false;  ///< at the start: lists every environment and admits none

  struct Shared {
    std::int32_t n_active[kBlockLanes];  ///< environments of the lane's run that iterate
    std::int32_t n_work[kBlockLanes];    ///< chunks of these; then chunks of all earlier runs
    std::int32_t first_admitted, end_admitted;
  };
  static constexpr int kPhases = 5;
  static constexpr PhaseShape shape(int phase) {
    return {phase == 1 || phase == 3 ? 1 : kBlockLanes, false};
  }
  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  NODIA_HD std::int32_t* ticket() const { return &queue->ticket; }

  template <int phase, class, class Memory>
  NODIA_HD void run(int, int lane, Shared& shared, Memory memory) const {
    const int per_lane = larger_of(item_count(batch->n_env), 1);
    const int n_run = (batch->n_env + per_lane - 1) / per_lane;
    // If there is only one environment, all lanes list its chunks.
    const bool alone = phase == 4 && batch->n_env == 1;
    const int run = alone ? 0 : lane;
    const int begin = smaller_of(run * per_lane, batch->n_env);
    const int end = smaller_of(begin + per_lane, batch->n_env);
    if constexpr (phase == 0) {
      std::int32_t n_active = 0;
      for (int e = begin; e < end; ++e) {
        VfpiControl* control = batch->env[e].control;
        VfpiControl c = memory.read(control);
        c.keep_best = c.return_to_best = c.fall_back = c.move_reference = c.new_w = false;
        c.move_bias = false;
        if (!everyone) memory.write(control, c);
        if (c.stage == VfpiControl::Stage::running) ++n_active;
      }
      memory.write(&shared.n_active[lane], n_active);
    } else if constexpr (phase == 1) {
      std::int32_t n_active = 0;
      for (int l = 0; l < n_run; ++l) n_active += memory.read(&shared.n_active[l]);
      const std::int32_t first = memory.read(&queue->next_waiting);
      const int room = everyone ? 0 : batch->capacity - n_active;
      const std::int32_t last = smaller_of(first + (room > 0 ? room : 0), batch->n_env);
      memory.write(&shared.first_admitted, first);
      memory.write(&shared.end_admitted, last);
      memory.write(&queue->next_waiting, last);
    } else if constexpr (phase == 2) {
      std::int32_t n_work = 0;
      const std::int32_t first = memory.read(&shared.first_admitted),
                         last = memory.read(&shared.end_admitted);
      for (int e = begin; e < end; ++e) {
        VfpiControl* control = batch->env[e].control;
        if (e >= first && e < last) memory.write(&control->stage, VfpiControl::Stage::running);
        if (listed(control, memory)) n_work += batch->env[e].n_chunk;
      }
      memory.write(&shared.n_work[lane], n_work);
    } else if constexpr (phase == 3) {
      std::int32_t n_work = 0;
      for (int l = 0; l < n_run; ++l) {
        const std::int32_t w = memory.read(&shared.n_work[l]);
        memory.write(&shared.n_work[l], n_work);
        n_work += w;
      }
      memory.write(&queue->n_work, n_work);
      memory.write(&queue->loop.running, static_cast<std::int32_t>(n_work > 0));
    } else {
      WorkItem* item = batch->work + memory.read(&shared.n_work[run]);
      for (int e = begin; e < end; ++e) {
        if (!listed(batch->env[e].control, memory)) continue;
        const std::int32_t n_chunk = batch->env[e].n_chunk;
        for (std::int32_t c = alone ? lane : 0; c < n_chunk; c += alone ? kBlockLanes : 1)
          memory.write(item + c, WorkItem{e, c});
        item += n_chunk;
      }
    }
  }

 private:
  NODIA_HD static int smaller_of(int a, int b) { return a < b ? a : b; }
  NODIA_HD static int larger_of(int a, int b) { return a > b ? a : b; }
  template <class Memory>
  NODIA_HD bool listed(const VfpiControl* control, Memory memory) const {
    return everyone || memory.read(&control->stage) == VfpiControl::Stage::running;
  }
};

}  // namespace nodia
