/// The scenarios that come with nodia, by name.
#pragma once

#include <string>
#include <vector>

namespace nodia::cli {

struct CatalogueEntry {
  std::string name;  ///< file name without its extension
  std::string path;
  std::string description;  ///< what the scenario shows
  bool has_task = false;    ///< nodia generate can make episodes of it
};

/// All scenarios in the folders of source_directory()/scenarios, by name.
std::vector<CatalogueEntry> scenario_catalogue();

/// The scenario file that a word of the command line means: the file of this name if there is one,
/// else the scenario of this name in the catalogue.
/// @throws InputError if there is neither, with the nearest name of the catalogue
std::string scenario_path(const std::string& word);

}  // namespace nodia::cli
