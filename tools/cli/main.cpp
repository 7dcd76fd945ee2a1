/// The program `nodia`: one binary, verbs.
#include "tools/cli/verbs.hpp"
#include "tools/command/program.hpp"

namespace nodia::cli {
namespace {

constexpr Verb kVerbs[] = {
    {"run", "simulate a scenario and write a run directory", declare_run},
    {"compare", "the same steps with every solver: cost and true error", declare_compare},
    {"scale", "cost against node count: table, CSV and plot", declare_scale},
    {"solve", "solve problems from files of Siconos, fclib and nodia", declare_solve},
    {"bench", "cost of kernels and of whole steps: table, CSV and plot", declare_bench},
    {"study", "curves of the papers on impulse-level solvers, as tables", declare_study},
    {"verify", "check that the files of a run are complete", declare_verify},
    {"generate", "make a dataset: thousands of episodes of a scenario's task", declare_generate},
    {"dataset", "list what a dataset holds and check every checksum", declare_dataset},
    {"replay", "repeat an episode of a dataset, bit for bit", declare_replay},
    {"view", "show a run directory in the browser", declare_view},
    {"render", "draw a run directory as PNG or MP4, without a screen", declare_render},
    {"export", "convert a dataset to the format of LeRobot or robomimic", declare_export},
    {"paper", "repeat the papers' tables and figures beside the printed values", declare_paper},
    {"info", "build, backends, devices, solvers, versions", declare_info},
};

}  // namespace
}  // namespace nodia::cli

int main(int argc, char** argv) {
  return nodia::cli::run_program(argc, argv, nodia::cli::kVerbs);
}
