#include "tools/command/scenario_catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"
#include "scenarios/format/yaml_tree.hpp"
#include "tools/command/build_info.hpp"

namespace nodia::cli {
namespace {

namespace fs = std::filesystem;

bool is_plain_name(const std::string& word) {
  return !word.empty() && word.find_first_of("/.") == std::string::npos;
}

}  // namespace

std::vector<CatalogueEntry> scenario_catalogue() {
  std::vector<CatalogueEntry> entries;
  const fs::path root = fs::path(source_directory()) / "scenarios";
  std::error_code error;
  for (fs::directory_iterator folder(root, error), end; !error && folder != end;
       folder.increment(error)) {
    std::error_code ignored;
    for (fs::directory_iterator file(folder->path(), ignored), last; !ignored && file != last;
         file.increment(ignored)) {
      if (file->path().extension() != ".yaml") continue;
      const YamlNode scenario = read_yaml_file(file->path().string());
      const YamlNode* description = scenario.find("description");
      if (!scenario.find("name") || !description) continue;
      entries.push_back({file->path().stem().string(), file->path().string(), description->text,
                         scenario.find("task") != nullptr});
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const CatalogueEntry& a, const CatalogueEntry& b) { return a.name < b.name; });
  return entries;
}

std::string scenario_path(const std::string& word) {
  std::error_code ignored;
  if (!is_plain_name(word) || fs::exists(word, ignored)) return word;
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : scenario_catalogue()) {
    if (entry.name == word) return entry.path;
    names.push_back(entry.name);
  }
  if (names.empty()) return word;
  throw InputError(fmt::format(
      "{}: no such file, and no scenario of this name (did you mean {}? nodia list has all names)",
      word, nearest_name(word, names)));
}

}  // namespace nodia::cli
