/// The program `nodia-studies`: benchmarks and the studies of the papers. `nodia` starts it.
#include "tools/command/program.hpp"
#include "tools/studies/verbs.hpp"

namespace nodia::cli {
namespace {

constexpr Verb kVerbs[] = {
    {"scale", "cost against node count: table, CSV and plot", declare_scale},
    {"bench", "cost of kernels and of whole steps: table, CSV and plot", declare_bench},
    {"study", "curves of the papers on impulse-level solvers, as tables", declare_study},
    {"paper", "repeat the papers' tables and figures beside the printed values", declare_paper},
};

}  // namespace
}  // namespace nodia::cli

int main(int argc, char** argv) {
  return nodia::cli::run_program(argc, argv, nodia::cli::kVerbs);
}
