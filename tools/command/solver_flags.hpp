/// Solver options with their own command-line flags.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/command/thread_cap.hpp"

namespace nodia::cli {

/// Meaning of a flag that differs from that of its key for a verb.
struct FlagMeaning {
  const char* flag;
  const char* meaning;  ///< null: the verb does not have the flag
};

/// Flags of the solver. The declaration of a key gives the meaning and the values of its flag.
/// Values are kept as text: the loader of the scenario reads them by the rules of the file, so the
/// messages about bad values are the same.
struct SolverFlags {
  std::optional<std::string> stop, tolerance, max_iterations, w, acceleration, chebyshev, precision,
      threads, errors;
  ThreadCap thread_cap;

  void declare(CLI::App& app, const std::vector<FlagMeaning>& otherwise = {});
  /// `solver.key=value` of all flags that were given.
  std::vector<std::string> settings() const;
};

}  // namespace nodia::cli
