/// Reports of `nodia generate` and `nodia dataset` about a dataset.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "scenarios/dataset/dataset.hpp"

namespace nodia::cli {

/// Counts as JSON: `episodes`, `steps`, `quarantined`, `causes` and others.
nlohmann::ordered_json to_json(const DatasetCounts& counts, const DatasetRequest& request);

/// Counts as text, such as `196 of 200 episodes, 9604 control steps, 190 with success; 4
/// quarantined: bad_action 4`.
std::string counted_in_words(const DatasetCounts& counts, const DatasetRequest& request);
/// Message about blocks that do not name their request; empty if there are none.
std::string note_of_unnamed(const DatasetCounts& counts);

/// Prints one line for each cause of quarantine, and one for rejected starts. Each shows the reason
/// of its first episode.
void print_reasons(const DatasetCounts& counts);

}  // namespace nodia::cli
