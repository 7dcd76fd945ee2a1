/// Replays an episode of a dataset from its recorded actions.
#pragma once

#include <optional>
#include <string>

#include "scenarios/dataset/episode.hpp"

namespace nodia {

/// Actors that return the recorded actions in order. @param episode  must outlive them
ActorMaker recorded_actor(const ArrayGroup& episode);

struct Replayed {
  bool stopped = false;    ///< the watch stopped the replay
  std::string difference;  ///< first difference from the recording; empty if all bits are equal
  std::int64_t steps = 0;  ///< control steps that were replayed
  std::string status;      ///< status of the recorded episode
};

/// Removes the quantities of contacts that the recording lacks because an older version of nodia
/// made it: versions add quantities and never rename them.
void drop_new_contact_quantities(const ArrayGroup& recorded, ArrayGroup* made);

/// Samples the episode again, applies the recorded actions and compares every attribute, and every
/// array except new quantities of contacts.
/// @param episode  number of the episode
/// @param watch    its most_steps limits the control steps that are replayed and compared
/// @throws InputError if the episode's block is missing or damaged
Replayed replay(const std::string& folder, const DatasetRequest& request, std::int64_t episode,
                const EpisodeWatch& watch = {});

}  // namespace nodia
