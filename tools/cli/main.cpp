/// The program `nodia`: table of its verbs.
#include "tools/cli/verbs.hpp"
#include "tools/command/program.hpp"

namespace nodia::cli {
namespace {

constexpr Verb kVerbs[] = {
    {"run", "simulate a scenario and write a run directory", declare_run,
     "  nodia run soft_ball --check\n"
     "  nodia run soft_mat --set bodies.mat.friction=0.5 --steps 50 --out out/rough_mat\n"},
    {"list", "list the scenarios that come with nodia and what they show", declare_list,
     "  nodia list\n"
     "  nodia list --json\n"},
    {"compare", "the same steps with every solver: cost and true error", declare_compare,
     "  nodia compare quick_lift --samples 2\n"
     "  nodia compare quick_lift --solvers newton,cond --samples 1 --json\n"},
    {"scale", "cost against node count: table, CSV and plot", declare_scale, nullptr},
    {"solve", "solve problems from files of Siconos, fclib and nodia", declare_solve,
     "  nodia solve scenarios/soft_ball/soft_ball.yaml --step 40 --export nodia out/grip.nodia.h5\n"
     "  nodia solve out/grip.nodia.h5 --table --solvers newton,cond --csv out/grip.csv\n"},
    {"bench", "cost of kernels and of whole steps: table, CSV and plot", declare_bench, nullptr},
    {"study", "curves of the papers on impulse-level solvers, as tables", declare_study, nullptr},
    {"verify", "check that the files of a run are complete", declare_verify,
     "  nodia verify out/soft_ball\n"
     "  nodia verify out/soft_ball --json\n"},
    {"generate", "make a dataset: thousands of episodes of a scenario's task", declare_generate,
     "  nodia generate quick_lift out/lifts --episodes 4\n"
     "  nodia generate quick_lift out/more_lifts --episodes 8 --seed 7 --threads 2\n"},
    {"dataset", "list what a dataset holds and check every checksum", declare_dataset,
     "  nodia dataset out/lifts\n"
     "  nodia dataset out/lifts --json\n"},
    {"replay", "repeat an episode of a dataset, bit for bit", declare_replay,
     "  nodia replay out/lifts --episode 3\n"
     "  nodia replay out/lifts --episode 0 --out out/first_lift\n"},
    {"view", "show a run directory in the browser", declare_view, nullptr},
    {"render", "draw a run directory as PNG or MP4, without a screen", declare_render, nullptr},
    {"export", "convert a dataset to the format of LeRobot or robomimic", declare_export, nullptr},
    {"paper", "repeat the papers' tables and figures beside the printed values", declare_paper,
     nullptr},
    {"info", "build, backends, devices, solvers, versions", declare_info,
     "  nodia info\n"
     "  nodia info soft_ball --envs 64\n"},
};

}  // namespace
}  // namespace nodia::cli

int main(int argc, char** argv) {
  return nodia::cli::run_program(argc, argv, nodia::cli::kVerbs);
}
