/// The state that a solver carries from one solve to the next.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace nodia {

/// State for one environment: lists of numbers by name, so that it can be compared and saved. Empty
/// before the first solve, and for solvers without a state.
using SolverState = std::map<std::string, std::vector<double>>;

/// [n_env]
using SolverStates = std::vector<SolverState>;

/// Adds the state of one of several solvers to that of all. The names of its lists get the solver's
/// name in front: `cond.lambda_max`.
inline void add_named(const std::string& solver, const SolverState& own, SolverState* all) {
  for (const auto& [list, numbers] : own) (*all)[solver + "." + list] = numbers;
}

/// The lists that add_named() added for a solver.
inline SolverState part_named(const std::string& solver, const SolverState& all) {
  SolverState own;
  for (const auto& [list, numbers] : all)
    if (list.rfind(solver + ".", 0) == 0) own[list.substr(solver.size() + 1)] = numbers;
  return own;
}

}  // namespace nodia
