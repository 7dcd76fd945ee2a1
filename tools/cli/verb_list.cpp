#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "tools/cli/verbs.hpp"
#include "tools/command/scenario_catalogue.hpp"

namespace nodia::cli {
namespace {

using Json = nlohmann::ordered_json;

int print_catalogue() {
  const std::vector<CatalogueEntry> entries = scenario_catalogue();
  std::size_t width = 0;
  for (const CatalogueEntry& entry : entries) width = std::max(width, entry.name.size());
  for (const CatalogueEntry& entry : entries)
    fmt::print("{:<{}}  {}\n", entry.name, width, entry.description);
  fmt::print("\nnodia run NAME runs one of them; nodia generate NAME DIR takes those with a task:");
  for (const CatalogueEntry& entry : entries)
    if (entry.has_task) fmt::print(" {}", entry.name);
  fmt::print("\n");
  return kGood;
}

int print_catalogue_as_json() {
  Json list = Json::array();
  for (const CatalogueEntry& entry : scenario_catalogue())
    list.push_back({{"name", entry.name},
                    {"path", entry.path},
                    {"description", entry.description},
                    {"has_task", entry.has_task}});
  fmt::print("{}\n",
             Json{{"format", "nodia_list"}, {"format_version", 1}, {"scenarios", list}}.dump(2));
  return kGood;
}

}  // namespace

Action declare_list(CLI::App& app) {
  const auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "print one JSON object");
  return [json] { return *json ? print_catalogue_as_json() : print_catalogue(); };
}

}  // namespace nodia::cli
