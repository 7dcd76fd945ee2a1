#include "tools/command/print_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace nodia::cli {

void print_json(const nlohmann::ordered_json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace nodia::cli
