/// `nodia study NAME`: the curves behind the figures on impulse-level solvers, as a table.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"
#include "tools/benchmarks/impulse_studies.hpp"
#include "tools/benchmarks/verbs.hpp"
#include "tools/command/common_options.hpp"

namespace nodia::cli {
namespace {

using Json = nlohmann::ordered_json;

struct StudyWords {
  std::string name;
  bool json = false, csv = false;
};

const studies::Study& find_study(const std::string& name) {
  std::vector<std::string> names;
  for (const studies::Study& study : studies::impulse_studies()) {
    if (name == study.name) return study;
    names.emplace_back(study.name);
  }
  throw_bad_value("study", name, fmt::format("one of {}", fmt::join(names, ", ")),
                  fmt::format("did you mean {}?", nearest_name(name, names)));
}

/// NaN and infinity, which JSON does not have, are null.
Json json_of(const studies::StudyCell& cell) {
  if (const auto* word = std::get_if<std::string>(&cell)) return *word;
  const double value = std::get<double>(cell);
  return std::isfinite(value) ? Json(value) : Json();
}

Json json_of(const studies::Study& study, const studies::StudyTable& table) {
  Json columns = Json::array(), rows = Json::array();
  for (const studies::StudyColumn& c : table.columns)
    columns.push_back({{"name", c.name}, {"unit", c.unit}, {"meaning", c.meaning}});
  for (const auto& cells : table.rows) {
    Json row = Json::object();
    for (std::size_t k = 0; k < cells.size(); ++k) row[table.columns[k].name] = json_of(cells[k]);
    rows.push_back(std::move(row));
  }
  return {{"format", "nodia_study"}, {"format_version", 1}, {"study", study.name},
          {"title", study.title},    {"columns", columns},  {"rows", rows}};
}

void print_list(bool json) {
  Json list = Json::array();
  for (const studies::Study& study : studies::impulse_studies()) {
    if (json)
      list.push_back({{"study", study.name}, {"title", study.title}});
    else
      fmt::print("{:<22} {}\n", study.name, study.title);
  }
  if (json) {
    const Json root{{"format", "nodia_studies"}, {"format_version", 1}, {"studies", list}};
    fmt::print("{}\n", root.dump(2));
  }
}

int study(const StudyWords& words) {
  if (words.json && words.csv) throw InputError("--json and --csv: one of them");
  if (words.name.empty()) {
    print_list(words.json);
    return kGood;
  }
  const studies::Study& found = find_study(words.name);
  limit_dense_threads(1);
  const studies::StudyTable table = found.make();
  if (words.json)
    fmt::print("{}\n", json_of(found, table).dump());
  else
    fmt::print("{}", studies::to_csv(table));
  return kGood;
}

}  // namespace

Action declare_study(CLI::App& app) {
  const auto words = std::make_shared<StudyWords>();
  app.add_option("name", words->name, "name of a study (default: list all studies)")
      ->type_name("NAME");
  app.add_flag("--csv", words->csv, "print comma-separated values on stdout (the default)");
  app.add_flag("--json", words->json, "print one JSON object on stdout: columns with units, rows");
  return [words] { return study(*words); };
}

}  // namespace nodia::cli
