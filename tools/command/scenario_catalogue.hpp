/// Catalogue of the scenarios that come with nodia.
#pragma once

#include <string>
#include <vector>

namespace nodia::cli {

struct CatalogueEntry {
  std::string name;  ///< file name without its extension
  std::string path;
  std::string description;  ///< what the scenario shows
  bool has_task = false;    ///< nodia generate can generate its episodes
};

/// All scenarios in the folders of source_directory()/scenarios, in alphabetical order.
std::vector<CatalogueEntry> scenario_catalogue();

/// Scenario file for a word of the command line: the file with this name if it exists, else the
/// scenario with this name in the catalogue.
/// @throws InputError if there is neither, with the nearest name of the catalogue
std::string scenario_path(const std::string& word);

}  // namespace nodia::cli
