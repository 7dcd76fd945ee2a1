/// Cases of `nodia compare --suite accuracy`: scenarios of nodia with several mesh sizes and
/// stiffnesses.
#pragma once

#include <string>
#include <vector>

#include "scenarios/build/scenario.hpp"

namespace nodia::studies {

/// Generator of a new mesh for the first soft body.
enum class Remesh : std::uint8_t { none, mat, ball };

struct AccuracyCase {
  const char* name;
  const char* file;          ///< path in scenarios/
  const char* setting = "";  ///< `key=value`; empty: none
  Remesh remesh = Remesh::none;
  int n_node = 0;      ///< approximate number of nodes of the new mesh
  bool large = false;  ///< takes long; selected only by its full name
};

const std::vector<AccuracyCase>& accuracy_cases();

/// Selects cases by full names, prefixes, and patterns with * and ?. Returns them in the order of
/// the table, without repetition. Prefixes and patterns do not select large cases. Without words,
/// all cases that are not large are selected.
/// @throws InputError for a word that selects no case, with the nearest name
std::vector<AccuracyCase> choose_cases(const std::vector<std::string>& words);

/// Loads the scenario of a case.
/// @param scenarios  folder of the scenario files
Scenario load_case(const AccuracyCase& which, const std::string& scenarios);

}  // namespace nodia::studies
