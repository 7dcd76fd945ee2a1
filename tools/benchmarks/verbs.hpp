/// The verbs of the program `nodia-studies`: one file per verb, one line per verb in the table of
/// main.cpp.
#pragma once

#include "tools/command/verb.hpp"

namespace nodia::cli {

Action declare_scale(CLI::App& app);
Action declare_bench(CLI::App& app);
Action declare_study(CLI::App& app);
Action declare_paper(CLI::App& app);

}  // namespace nodia::cli
