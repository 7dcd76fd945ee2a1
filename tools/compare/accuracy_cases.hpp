/// The cases of `nodia compare --suite accuracy`: the shipped scenarios, over mesh size and
/// stiffness.
#pragma once

#include <string>
#include <vector>

#include "scenarios/build/scenario.hpp"

namespace nodia::studies {

/// What the first soft body is meshed as anew.
enum class Remesh : std::uint8_t { none, mat, ball };

struct AccuracyCase {
  const char* name;
  const char* file;          ///< under scenarios/
  const char* setting = "";  ///< one `key=value`, or none
  Remesh remesh = Remesh::none;
  int n_node = 0;      ///< about so many nodes of the new mesh
  bool large = false;  ///< takes long: chosen by its full name alone
};

const std::vector<AccuracyCase>& accuracy_cases();

/// Cases by full names, by patterns with * and ?, and by the beginnings of names, in the order of
/// the table, each once. Patterns and beginnings leave out the large ones; no words at all mean
/// every case that is not large.
/// @throws InputError for a word that chooses none, with the nearest name
std::vector<AccuracyCase> choose_cases(const std::vector<std::string>& words);

/// @param scenarios  the folder with the scenario files
Scenario load_case(const AccuracyCase& which, const std::string& scenarios);

}  // namespace nodia::studies
