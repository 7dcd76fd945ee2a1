/// Runs a command-line program with verbs: parsing, exit codes, one-line error messages.
#pragma once

#include <span>

#include "tools/command/verb.hpp"

namespace nodia::cli {

/// Runs the verb that the arguments name.
/// @param verbs  all verbs of the program, in the order of its help
/// @return       exit code of the process (ExitCode)
int run_program(int argc, char** argv, std::span<const Verb> verbs);

}  // namespace nodia::cli
