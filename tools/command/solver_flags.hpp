/// Options of the solver that have names of their own on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/command/thread_cap.hpp"

namespace nodia::cli {

/// A flag that means something else to a verb than its key does.
struct FlagMeaning {
  const char* flag;
  const char* meaning;  ///< null: the verb does not have it
};

/// Values stay text: the loader reads them by the rules of the file, so that a bad one is refused
/// by the same words. What a flag means and which values it takes is what its key declares.
struct SolverFlags {
  std::optional<std::string> stop, tolerance, max_iterations, w, acceleration, chebyshev, precision,
      threads, errors;
  ThreadCap thread_cap;

  void declare(CLI::App& app, const std::vector<FlagMeaning>& otherwise = {});
  /// `solver.key=value` of those that were given.
  std::vector<std::string> settings() const;
};

}  // namespace nodia::cli
