/// The contacts of a step between soft nodes and obstacles, made where the loop runs.
#pragma once

#include "kernels/soft_step/near_places.hpp"
#include "kernels/soft_step/place_contacts.hpp"

namespace nodia {

/// Detection, then every contact in its slot of the loop, with the force that it starts from;
/// EnvironmentFacts::rows_share_contacts and ::load; SoftContacts::slot and ::n_rare. After the
/// assembly into the planes and FreeMotion. May be repeated, as with more room.
/// @param launcher  launch(name, kernel, n_item) runs a kernel; launches follow each other
template <class Launcher, class Precision>
void launch_contacts(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  launch_near_places(launcher, batch);
  launch_place_contacts(launcher, batch);
}

}  // namespace nodia
