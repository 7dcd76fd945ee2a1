/// Clears the end-of-step flag of environments that may have tunnelled through a soft surface.
#pragma once

#include "kernels/collision/paired_surfaces.hpp"
#include "kernels/step/soft_end.hpp"

namespace nodia {

/// Clears SoftEnd::is_reached of environments with a set flag in PairedSurfaces::tunnelling; the
/// host then finishes the step. One item per environment.
struct RejectEnds : AnyLane<RejectEnds> {
  PairedSurfaces paired;
  SoftEnd* end = nullptr;  ///< [n_env]

  template <class Memory>
  NODIA_HD bool enabled(int e, Memory) const {
    return paired.first_search[e] < paired.first_search[e + 1];
  }
  template <class Memory>
  NODIA_HD bool finds(int e, int lane, Memory memory) const {
    const int n_chunk = item_count(paired.searches.n_vertex);
    for (int k = paired.first_search[e] * n_chunk + lane; k < paired.first_search[e + 1] * n_chunk;
         k += kBlockLanes)
      if (memory.read(paired.tunnelling + k) != 0) return true;
    return false;
  }
  template <class Memory>
  NODIA_HD void tell(int e, bool any, Memory memory) const {
    if (any) memory.write(&end[e].is_reached, false);
  }
};

/// Runs after launch_tunnelling. @param end  [n_env]
template <class Launcher>
void launch_reject_ends(Launcher&& launcher, const PairedSurfaces& paired, SoftEnd* end,
                        int n_env) {
  if (paired.searches.n_search > 0)
    launcher.launch("reject_ends", RejectEnds{{}, paired, end}, n_env);
}

}  // namespace nodia
