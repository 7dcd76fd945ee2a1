/// Clears the end-of-step flag of environments that may have tunnelled through a soft surface.
#pragma once

#include "kernels/collision/meeting_surfaces.hpp"
#include "kernels/step/soft_end.hpp"

namespace nodia {

/// Clears SoftEnd::is_reached of environments with a set flag in MeetingSurfaces::passages; the
/// host then finishes the step. One item per environment.
struct HoldBackEnds : AnyLane<HoldBackEnds> {
  MeetingSurfaces meeting;
  SoftEnd* end = nullptr;  ///< [n_env]

  template <class Memory>
  NODIA_HD bool enabled(int e, Memory) const {
    return meeting.first_search[e] < meeting.first_search[e + 1];
  }
  template <class Memory>
  NODIA_HD bool finds(int e, int lane, Memory memory) const {
    const int n_chunk = item_count(meeting.searches.n_vertex);
    for (int k = meeting.first_search[e] * n_chunk + lane;
         k < meeting.first_search[e + 1] * n_chunk; k += kBlockLanes)
      if (memory.read(meeting.passages + k) != 0) return true;
    return false;
  }
  template <class Memory>
  NODIA_HD void tell(int e, bool any, Memory memory) const {
    if (any) memory.write(&end[e].is_reached, false);
  }
};

/// Runs after launch_passages. @param end  [n_env]
template <class Launcher>
void launch_hold_back(Launcher&& launcher, const MeetingSurfaces& meeting, SoftEnd* end,
                      int n_env) {
  if (meeting.searches.n_search > 0)
    launcher.launch("hold_back_ends", HoldBackEnds{{}, meeting, end}, n_env);
}

}  // namespace nodia
