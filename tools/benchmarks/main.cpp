/// The program `nodia-studies`: benchmarks and the studies of the papers. `nodia` starts it.
#include "tools/benchmarks/verbs.hpp"
#include "tools/command/program.hpp"

namespace nodia::cli {
namespace {

constexpr Verb kVerbs[] = {
    {"scale", "cost against node count: table, CSV and plot", declare_scale,
     "  nodia scale soft_mat --nodes 200,400 --average 2 --out out/scale\n"
     "  nodia scale soft_mat --solvers cond,newton --nodes 200,400 --average 2 --no-reference\n"},
    {"bench", "cost of kernels and of whole steps: table, CSV and plot", declare_bench,
     "  nodia bench --quick --nodes 200 --envs 1\n"
     "  nodia bench --cases assembly,detection --nodes 1500 --rounds 3 --out out/bench_parts\n"},
    {"study", "curves of the papers on impulse-level solvers, as tables", declare_study,
     "  nodia study\n"
     "  nodia study schindler_fig6 --json\n"},
    {"paper", "repeat the papers' tables and figures beside the printed values", declare_paper,
     nullptr},
};

}  // namespace
}  // namespace nodia::cli

int main(int argc, char** argv) {
  return nodia::cli::run_program(argc, argv, nodia::cli::kVerbs);
}
