/// Sampled values as JSON.
#pragma once

#include <string>
#include <vector>

#include "scenarios/build/randomize.hpp"

namespace nodia {

/// JSON object: values by dotted key, in the order of the file's `randomize`.
std::string drawn_json(const std::vector<DrawnValue>& drawn);

}  // namespace nodia
