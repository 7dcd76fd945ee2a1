/// What a solver remembers from one solve to the next, as a value.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace nodia {

/// Of one environment: lists of numbers by name, so that it can be compared, kept in a file and
/// handed on. Empty: nothing is remembered, as before the first solve.
using EnvironmentMemory = std::map<std::string, std::vector<double>>;

/// [n_env]; empty: of a solver that remembers nothing.
using SolverMemory = std::vector<EnvironmentMemory>;

}  // namespace nodia
