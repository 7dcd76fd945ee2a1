/// `nodia compare --suite accuracy`: every scenario over mesh size and stiffness, every solver,
/// work and time against true error.
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

  /// --suite, the options that go with it alone, and --overwrite.
  void declare(CLI::App& app);
  /// Any of the options that go with --suite alone was given.
  bool any_own() const { return !cases.empty() || seconds || directory; }
};

/// @param solvers  empty: those of the suite
/// @param samples  0: 10
/// @return         exit code; what is finished is written where it is interrupted
int compare_suite(const SuiteArguments& arguments, const std::vector<std::string>& solvers,
                  int samples, bool json);

}  // namespace nodia::cli
