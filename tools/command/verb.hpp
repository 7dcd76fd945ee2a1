/// Interface of a verb of a command-line program.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace nodia::cli {

/// Exit codes of the programs.
enum ExitCode : int { kGood = 0, kFailed = 1, kBadInput = 2, kInterrupted = 130 };

/// Runs the verb with the parsed options and returns the exit code. run_program() converts
/// InputError and RuntimeError to exit codes.
using Action = std::function<int()>;

/// Declares the options of a verb on its subcommand.
using Declare = Action (*)(CLI::App& app);

/// An entry of the table of verbs.
struct Verb {
  const char* name;
  const char* description;  ///< one line of `nodia --help`
  Declare declare;
  /// Two command lines at the end of `nodia VERB --help`. Null if another program prints the help.
  const char* examples;
};

}  // namespace nodia::cli
