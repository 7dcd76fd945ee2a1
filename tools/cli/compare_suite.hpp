/// `nodia compare --suite accuracy`: work and time of solvers against true error, for scenarios
/// with several mesh sizes and stiffnesses.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/command/output_options.hpp"

namespace nodia::cli {

struct SuiteArguments {
  std::optional<std::string> suite;
  std::vector<std::string> cases;
  std::optional<double> seconds;
  std::optional<std::string> directory;
  OverwriteFlag overwrite;

  /// Declares --suite, the options that require it, and --overwrite.
  void declare(CLI::App& app);
  /// True if an option that requires --suite is given.
  bool any_own() const { return !cases.empty() || seconds || directory; }
};

/// Runs the suite. After an interrupt the finished rows are written.
/// @param solvers  empty: default solvers of the suite
/// @param samples  samples per case; 0: default
/// @return         exit code
int compare_suite(const SuiteArguments& arguments, const std::vector<std::string>& solvers,
                  int samples, bool json);

}  // namespace nodia::cli
