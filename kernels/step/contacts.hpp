/// Launch sequence that generates the contacts of a step on the launcher's side: contacts of soft
/// nodes with obstacles, and soft-soft pairs.
#pragma once

#include "kernels/step/contact_facts.hpp"
#include "kernels/step/make_pairs.hpp"
#include "kernels/step/near_places.hpp"
#include "kernels/step/place_contacts.hpp"
#include "kernels/step/place_pairs.hpp"
#include "kernels/step/place_point_constraints.hpp"

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

/// Runs after launch_near_places and, if there may be pairs, after launch_number_pairs.
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

/// Makes the selected pairs, their points and nodes. Runs after launch_find_pairs.
template <class Launcher, class Precision>
void launch_pair_contacts(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  launch_count_pairs(launcher, batch);
  if (batch.pairs.capacity > 0) launch_make_pairs(launcher, batch);
  launch_number_pairs(launcher, batch);
}

/// Detects the contacts and writes each of them with its initial force into the arrays of the loop.
/// Also writes EnvironmentFacts::rows_share_contacts and ::load, SoftContacts::slot and
/// ::n_multi_contact. Runs after the assembly, FreeMotion and launch_find_pairs. May be repeated
/// with larger arrays.
template <class Launcher, class Precision>
void launch_contacts(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  launch_pair_contacts(launcher, batch);
  launch_near_places(launcher, batch);
  launch_place_contacts(launcher, batch);
  launch_place_point_constraints(launcher, batch);
}

}  // namespace nodia
