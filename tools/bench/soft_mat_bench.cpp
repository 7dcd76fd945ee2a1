/// Costs on the soft mat's own matrix and contacts, one thread, double precision; ratios of one run
/// at the end.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <map>

#include "fem/tet_model.hpp"
#include "host/collision/detection.hpp"
#include "host/simulation/simulation.hpp"
#include "host/solvers/delassus.hpp"
#include "kernels/core/launch.hpp"
#include "kernels/linalg/block_csr.hpp"
#include "scenarios/loader/scenario.hpp"

namespace nodia {
namespace {

/// The problem of the step in which the whole mat slides: time 1 s of the scenario.
struct SlidingMat {
  Scenario scenario = load_scenario(NODIA_SOURCE_DIR "/scenarios/soft_mat/soft_mat.yaml");
  Simulation simulation{{scenario.scene}, scenario.solver};
  ContactProblem problem;
  WarmStart warm;

  SlidingMat() {
    for (int k = 0; k < 100; ++k) simulation.step();
    problem = simulation.build_problem(&warm);
  }
  static SlidingMat& instance() {
    static SlidingMat mat;
    return mat;
  }
};

void eigen_row_major_product(benchmark::State& state) {
  const SlidingMat& mat = SlidingMat::instance();
  const auto A = mat.problem.A.to_eigen_rows();
  Eigen::VectorXd x = Eigen::VectorXd::Random(A.cols()), y(A.rows());
  for (auto _ : state) {
    y.noalias() = A * x;
    benchmark::DoNotOptimize(y.data());
  }
}

void block_product(benchmark::State& state) {
  const SlidingMat& mat = SlidingMat::instance();
  const int n = mat.problem.n_node();
  std::vector<Vec3d> x(mat.warm.v), y(x.size());
  const BlockProduct<double> product{mat.problem.A.view(), x.data(), y.data()};
  for (auto _ : state) {
    launch(n, product, 1);
    benchmark::DoNotOptimize(y.data());
  }
}

/// Seconds of a COND solve of exactly `iterations` iterations.
double solve_s(const SlidingMat& mat, int iterations) {
  SolverOptions options = mat.scenario.solver;
  options.threads = 1;
  options.stop = StopRule::paper;
  options.tolerance = 1e-300;
  options.max_iterations = iterations;
  Solution solution;
  make_solver(options)->solve(mat.problem, mat.warm, &solution);
  return solution.env.front().time_s;
}

/// A whole iteration: product, contacts, Chebyshev, norms. Setup cancels in the difference of two
/// lengths.
void cond_iteration(benchmark::State& state) {
  const SlidingMat& mat = SlidingMat::instance();
  constexpr int kFew = 10, kMore = 210;
  for (auto _ : state)
    state.SetIterationTime((solve_s(mat, kMore) - solve_s(mat, kFew)) / (kMore - kFew));
}

void assembly(benchmark::State& state) {
  SlidingMat& mat = SlidingMat::instance();
  std::vector<double> value(mat.problem.A.value.size());
  std::vector<Vec3d> force(mat.problem.b.size());
  const TetModel::AssemblyInput input{mat.simulation.state().x.data(), 0.01, 1.0, nullptr, 1};
  for (auto _ : state) {
    mat.simulation.model().assemble(input, value.data(), force.data());
    benchmark::DoNotOptimize(value.data());
  }
}

void detection(benchmark::State& state) {
  const SlidingMat& mat = SlidingMat::instance();
  std::vector<ObstaclePose> obstacles;
  for (const ObstacleDescription& o : mat.scenario.scene.obstacles)
    obstacles.push_back({o.shape, o.path.at(1.0), o.path.at(1.01)});
  const State& s = mat.simulation.state();
  std::vector<ProximityPair> pairs;
  for (auto _ : state) {
    detect(obstacles, s.x.data(), s.v.data(), static_cast<int>(s.x.size()),
           mat.scenario.scene.contact.margin_m, 0.01, 1, &pairs);
    benchmark::DoNotOptimize(pairs.data());
  }
}

void delassus(benchmark::State& state, Factoriser factoriser, bool sparse_rhs) {
  const SlidingMat& mat = SlidingMat::instance();
  for (auto _ : state) {
    const DelassusOperator op(mat.problem, factoriser, sparse_rhs);
    benchmark::DoNotOptimize(op.matrix().data());
  }
}

/// Prints as the console does and keeps the median times [us].
class RatioReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs)
      if (run.aggregate_name == "median" ||
          (run.run_type == Run::RT_Iteration && run.repetitions == 1))
        us_[run.run_name.function_name] = run.GetAdjustedRealTime() * scale(run.time_unit);
  }
  void print_ratios() const {
    ratio("whole COND iteration / Eigen row-major product", "cond_iteration",
          "eigen_row_major_product", "at most 1");
    ratio("block product / Eigen row-major product", "block_product", "eigen_row_major_product",
          "at most 0.5");
    if (has("assembly") && has("detection") && has("cond_iteration"))
      fmt::print("{:<56} {:>9.2f}   (at most 60)\n", "assembly + detection / COND iterations",
                 (us_.at("assembly") + us_.at("detection")) / us_.at("cond_iteration"));
    for (const char* name : {"delassus_simplicial_dense_rhs", "delassus_simplicial_sparse_rhs",
                             "delassus_cholmod_dense_rhs", "delassus_cholmod_sparse_rhs"})
      ratio(fmt::format("{} / COND iteration", name), name, "cond_iteration", "");
  }

 private:
  static double scale(benchmark::TimeUnit unit) {
    switch (unit) {
      case benchmark::kNanosecond:
        return 1e-3;
      case benchmark::kMicrosecond:
        return 1;
      case benchmark::kMillisecond:
        return 1e3;
      case benchmark::kSecond:
        return 1e6;
    }
    return 1;
  }
  bool has(const std::string& name) const { return us_.count(name) > 0; }
  void ratio(const std::string& title, const std::string& a, const std::string& b,
             const char* target) const {
    if (has(a) && has(b))
      fmt::print("{:<56} {:>9.2f}   {}\n", title, us_.at(a) / us_.at(b),
                 *target ? fmt::format("({})", target) : "");
  }
  std::map<std::string, double> us_;
};

}  // namespace
}  // namespace nodia

int main(int argc, char** argv) {
  using namespace nodia;
  const auto quick = [](benchmark::internal::Benchmark* b) {
    b->Unit(benchmark::kMicrosecond)->Repetitions(9)->ReportAggregatesOnly(true);
  };
  quick(benchmark::RegisterBenchmark("eigen_row_major_product", eigen_row_major_product));
  quick(benchmark::RegisterBenchmark("block_product", block_product));
  quick(benchmark::RegisterBenchmark("cond_iteration", cond_iteration)
            ->UseManualTime()
            ->Iterations(5));
  quick(benchmark::RegisterBenchmark("assembly", assembly));
  quick(benchmark::RegisterBenchmark("detection", detection));
  const auto once = [](const char* name, Factoriser factoriser, bool sparse) {
    benchmark::RegisterBenchmark(
        name, [=](benchmark::State& state) { delassus(state, factoriser, sparse); })
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
  };
  once("delassus_simplicial_dense_rhs", Factoriser::simplicial, false);
  once("delassus_simplicial_sparse_rhs", Factoriser::simplicial, true);
#ifdef NODIA_WITH_CHOLMOD
  once("delassus_cholmod_dense_rhs", Factoriser::cholmod, false);
  once("delassus_cholmod_sparse_rhs", Factoriser::cholmod, true);
#endif
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.print_ratios();
  return 0;
}
