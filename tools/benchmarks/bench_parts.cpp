/// What a step does to every node beside assembly, detection and the solve.
#include <array>

#include "host/base/threads.hpp"
#include "host/errors/errors.hpp"
#include "host/simulation/body_system.hpp"
#include "kernels/core/stopwatch.hpp"
#include "tools/benchmarks/bench_cases.hpp"
#include "tools/benchmarks/bench_rounds.hpp"

namespace nodia::studies {
namespace {

// Bytes that memory moves, each number once: of a node ...
constexpr double kVector = sizeof(Vec3d), kMass = sizeof(double);
constexpr double kIntegration = 5 * kVector;  // v_hat, x and v; next x and v
constexpr double kEnergies = 3 * kVector + 2 * kMass + 2 * kNodeStride * sizeof(double);
constexpr double kEvaluation = 5 * kVector + kMass + sizeof(std::int32_t);
// ... of a tetrahedron (its rest data, nodes, energy) and of a block of A with its column.
constexpr double kTet = 12 * sizeof(double) + 4 * sizeof(std::int32_t) + 2 * sizeof(double);
constexpr double kBlock = 9 * sizeof(double) + sizeof(std::int32_t);

struct Part {
  const char* name;
  double bytes;
  std::function<void()> run;
};

}  // namespace

void bench_parts(const SlidingMat& mat, const BenchOptions& options, int threads,
                 const BenchListener& listener) {
  const int n_thread = thread_count(threads, mat.n_node());
  const double n_node = mat.n_node();
  const ContactProblem& problem = mat.problem;
  TopologyPool pool;
  BodySystem system(mat.simulation.scene());
  system.fix_topology({}, &pool);
  State state = mat.simulation.state();
  const std::vector<Vec3d> diagonal = delassus_diagonal_estimate(problem);
  const std::array parts{
      Part{"integration", kIntegration * n_node,
           [&] { system.advance(mat.warm.v.data(), n_thread, &state); }},
      Part{"energies", kEnergies * n_node + kTet * mat.simulation.model().n_tet(),
           [&] { system.energies(state, n_thread); }},
      Part{"judgement", kEvaluation * n_node + kBlock * problem.A.pattern->n_block(), [&] {
             solution_errors(problem, 0, mat.warm.v, mat.warm.lambda, diagonal, Projection::strict,
                             0, n_thread);
           }}};
  for (const Part& part : parts) {
    Contestant contestant;
    BenchRow& row = contestant.row;
    row.name = part.name;
    row.n_node = mat.n_node();
    row.precision = name_of(Precision::double_);
    row.threads = n_thread;
    row.bytes_per_iteration = part.bytes;
    part.run();
    for (int r = 0; r < options.rounds; ++r) {
      const Stopwatch watch;
      part.run();
      contestant.s.push_back(watch.seconds());
    }
    report(&contestant, listener);
  }
}

}  // namespace nodia::studies
