/// The contacts of a step between soft nodes and obstacles, and of soft surfaces, made where the
/// loop runs.
#pragma once

#include "kernels/step/contact_facts.hpp"
#include "kernels/step/make_pairs.hpp"
#include "kernels/step/near_places.hpp"
#include "kernels/step/place_contacts.hpp"
#include "kernels/step/place_pairs.hpp"
#include "kernels/step/place_ties.hpp"

namespace nodia {

namespace detail {
template <bool with_pairs, class Launcher, class Precision>
void launch_place_contacts(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  CountContacts<Precision, with_pairs> count;
  count.batch = batch;
  count.n_chunk = batch.n_chunk;
  launcher.launch("count_contacts", count, batch.n_env * count.n_chunk);
  PlaceContacts<Precision, with_pairs> place;
  place.batch = batch;
  place.n_chunk =
      batch.n_chunk * kBlockLanes < batch.n_slot ? item_count(batch.n_slot) : batch.n_chunk;
  launcher.launch("place_contacts", place, batch.n_env * place.n_chunk);
  launcher.launch("contact_facts", ContactFacts<Precision, with_pairs>{batch}, batch.n_env);
  if constexpr (with_pairs) {
    PlacePairs<Precision> pairs;
    pairs.batch = batch;
    launch_list(launcher, "place_pairs", pairs, batch.pairs.capacity);
  }
}
}  // namespace detail

/// After launch_near_places, and where there may be pairs launch_number_pairs.
template <class Launcher, class Precision>
void launch_place_contacts(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  if (batch.n_chunk == 0) return;
  if (batch.pairs.capacity > 0)
    detail::launch_place_contacts<true>(launcher, batch);
  else
    detail::launch_place_contacts<false>(launcher, batch);
  if (batch.pairs.fit != nullptr)
    launcher.launch("tell_whether_pairs_fit", TellWhetherPairsFit<Precision>{{}, batch}, 1);
  if (batch.can_be_taken != nullptr)
    launcher.launch("can_be_taken", TellWhetherItCanBeTaken<Precision>{{{}, batch}}, 1);
}

/// The pairs that are selected, their points and nodes. Behind launch_find_pairs.
template <class Launcher, class Precision>
void launch_pair_contacts(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  launch_count_pairs(launcher, batch);
  if (batch.pairs.capacity > 0) launch_make_pairs(launcher, batch);
  launch_number_pairs(launcher, batch);
}

/// Detection, then every contact in its slot of the loop, with the force that it starts from;
/// EnvironmentFacts::rows_share_contacts and ::load; SoftContacts::slot and ::n_rare. After the
/// assembly into the planes, FreeMotion, and launch_find_pairs. May be repeated, as with more room.
/// @param launcher  launch(name, kernel, n_item) runs a kernel; launches follow each other
template <class Launcher, class Precision>
void launch_contacts(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  launch_pair_contacts(launcher, batch);
  launch_near_places(launcher, batch);
  launch_place_contacts(launcher, batch);
  launch_place_ties(launcher, batch);
}

}  // namespace nodia
