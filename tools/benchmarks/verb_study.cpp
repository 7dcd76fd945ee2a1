/// `nodia study NAME`: the curves behind the figures on impulse-level solvers, as a table.
#include <fmt/format.h>

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

Json json_of(const studies::Study& study, const studies::Table& table) {
  Json columns = Json::array();
  for (const studies::Field& f : table.fields)
    columns.push_back({{"name", f.name}, {"unit", f.unit}, {"meaning", f.meaning}});
  return {{"format", "nodia_study"}, {"format_version", 1}, {"study", study.name},
          {"title", study.title},    {"columns", columns},  {"rows", table.rows}};
}

void print_csv(const studies::Table& table) {
  fmt::print("{}\n", fmt::join(studies::csv_names(table.rows.front()), ","));
  for (const studies::Row& row : table.rows)
    fmt::print("{}\n", fmt::join(studies::csv_cells(row), ","));
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
  const studies::Table table = found.make();
  if (words.json)
    fmt::print("{}\n", json_of(found, table).dump());
  else
    print_csv(table);
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
