/// What every verb of the command line is made of. One file per verb, one line per verb in
/// main.cpp's table.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace nodia::cli {

/// Exit codes of the command.
enum ExitCode : int { kGood = 0, kFailed = 1, kBadInput = 2, kInterrupted = 130 };

/// Runs the verb with the parsed options. @return exit code; InputError and RuntimeError are turned
/// into codes by main
using Action = std::function<int()>;

/// Declares the verb's options on its own subcommand.
using Declare = Action (*)(CLI::App& app);

Action declare_run(CLI::App& app);
Action declare_info(CLI::App& app);
Action declare_compare(CLI::App& app);
Action declare_scale(CLI::App& app);
Action declare_solve(CLI::App& app);
Action declare_bench(CLI::App& app);
Action declare_study(CLI::App& app);
Action declare_verify(CLI::App& app);
Action declare_generate(CLI::App& app);
Action declare_dataset(CLI::App& app);
Action declare_replay(CLI::App& app);
Action declare_view(CLI::App& app);
Action declare_render(CLI::App& app);
Action declare_export(CLI::App& app);
Action declare_paper(CLI::App& app);

}  // namespace nodia::cli
