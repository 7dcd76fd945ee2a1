/// What a solver remembers from one solve to the next, as a value.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace nodia {

/// Of one environment: lists of numbers by name, so that it can be compared, kept in a file and
/// handed on. Empty: nothing is remembered, as before the first solve.
using EnvironmentMemory = std::map<std::string, std::vector<double>>;

/// [n_env]
using SolverMemory = std::vector<EnvironmentMemory>;

/// Adds a memory to that of several solvers: its lists with the solver's name before their own,
/// `cond.lambda_max`.
inline void add_named(const std::string& solver, const EnvironmentMemory& own,
                      EnvironmentMemory* all) {
  for (const auto& [list, numbers] : own) (*all)[solver + "." + list] = numbers;
}

/// The part of it that is of one solver.
inline EnvironmentMemory part_named(const std::string& solver, const EnvironmentMemory& all) {
  EnvironmentMemory own;
  for (const auto& [list, numbers] : all)
    if (list.rfind(solver + ".", 0) == 0) own[list.substr(solver.size() + 1)] = numbers;
  return own;
}

}  // namespace nodia
