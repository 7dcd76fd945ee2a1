/// Verbs of the program `nodia`. Each verb has its own file and one line in the table of main.cpp.
#pragma once

#include "tools/command/verb.hpp"

namespace nodia::cli {

Action declare_run(CLI::App& app);
Action declare_list(CLI::App& app);
Action declare_info(CLI::App& app);
Action declare_compare(CLI::App& app);
Action declare_solve(CLI::App& app);
Action declare_verify(CLI::App& app);
Action declare_generate(CLI::App& app);
Action declare_dataset(CLI::App& app);
Action declare_replay(CLI::App& app);
Action declare_view(CLI::App& app);
Action declare_render(CLI::App& app);
Action declare_export(CLI::App& app);
// These start the program nodia-studies (verb_studies.cpp).
Action declare_scale(CLI::App& app);
Action declare_bench(CLI::App& app);
Action declare_study(CLI::App& app);
Action declare_paper(CLI::App& app);

}  // namespace nodia::cli
