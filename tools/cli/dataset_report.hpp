/// What `nodia generate` and `nodia dataset` tell of a dataset.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "scenarios/dataset/dataset.hpp"

namespace nodia::cli {

/// `episodes`, `steps`, `quarantined`, `causes` and what else is counted.
nlohmann::ordered_json to_json(const DatasetCounts& counts, const DatasetRequest& request);

/// `196 of 200 episodes, 9604 control steps, 190 with success; 4 quarantined: bad_action 4`.
std::string counted_in_words(const DatasetCounts& counts, const DatasetRequest& request);
/// Says how many blocks name no request; empty if all do.
std::string note_of_unnamed(const DatasetCounts& counts);

/// A line for each cause, and one for starts that were drawn again: why, of the first.
void print_reasons(const DatasetCounts& counts);

}  // namespace nodia::cli
