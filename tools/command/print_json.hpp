/// JSON on standard output.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace nodia::cli {

/// Prints an object on several lines. Bytes that are not UTF-8 are replaced.
void print_json(const nlohmann::ordered_json& json);

}  // namespace nodia::cli
