/// An episode of a dataset made again from its recorded actions.
#pragma once

#include <optional>
#include <string>

#include "scenarios/dataset/episode.hpp"

namespace nodia {

/// The recorded actions, one after another.
ActorMaker recorded_actor(const ArrayGroup& episode);

struct Replayed {
  bool stopped = false;    ///< by the watch
  std::string difference;  ///< where recorded and made differ first; empty where no bit does
  std::int64_t steps = 0;  ///< control steps that were made again
  std::string status;      ///< of the recorded episode
};

/// Draws the episode again, acts as recorded, and compares every array.
/// @param episode  its number
/// @param watch    with most_steps so many control steps alone are made and compared
/// @throws InputError for an episode whose block is missing or damaged
Replayed replay(const std::string& folder, const DatasetRequest& request, std::int64_t episode,
                const EpisodeWatch& watch = {});

}  // namespace nodia
