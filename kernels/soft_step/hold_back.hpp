/// Ends of steps in which something may have come through a soft surface are the host's.
#pragma once

#include "kernels/collision/meeting_surfaces.hpp"
#include "kernels/soft_step/soft_end.hpp"

namespace nodia {

/// SoftEnd::is_reached of environments of which a flag of MeetingSurfaces::passages is set, an item
/// each.
struct HoldBackEnds {
  MeetingSurfaces meeting;
  SoftEnd* end = nullptr;  ///< [n_env]

  struct Shared {
    std::int32_t passes[kBlockLanes];
  };
  static constexpr int kPhases = 2;
  static constexpr PhaseShape shape(int phase) { return {phase == 0 ? kBlockLanes : 1, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int e, Memory) const {
    return meeting.first_search[e] < meeting.first_search[e + 1];
  }
  template <int phase, class, class Memory>
  NODIA_HD void run(int e, int lane, Shared& shared, Memory memory) const {
    std::int32_t passes = 0;
    if constexpr (phase == 0) {
      const int n_chunk = item_count(meeting.searches.n_vertex);
      for (int k = meeting.first_search[e] * n_chunk + lane;
           k < meeting.first_search[e + 1] * n_chunk; k += kBlockLanes)
        if (memory.read(meeting.passages + k) != 0) passes = 1;
      memory.write(&shared.passes[lane], passes);
    } else {
      for (int l = 0; l < kBlockLanes; ++l)
        if (memory.read(&shared.passes[l]) != 0) passes = 1;
      if (passes != 0) memory.write(&end[e].is_reached, false);
    }
  }
};

/// After launch_passages. @param end  [n_env]
template <class Launcher>
void launch_hold_back(Launcher&& launcher, const MeetingSurfaces& meeting, SoftEnd* end,
                      int n_env) {
  if (meeting.searches.n_search > 0)
    launcher.launch("hold_back_ends", HoldBackEnds{meeting, end}, n_env);
}

}  // namespace nodia
