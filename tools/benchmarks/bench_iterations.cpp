#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>

#include "host/base/threads.hpp"
#include "host/solvers/catalogue.hpp"
#include "tools/benchmarks/bench_cases.hpp"
#include "tools/benchmarks/bench_rounds.hpp"
#include "tools/benchmarks/iteration_cost.hpp"
#include "tools/compare/refinement.hpp"

namespace nodia::studies {
namespace {

/// Iteration limit of a lead step, which need not be accurate: large meshes would take minutes.
constexpr int kLeadIterations = 200;

Row row_of(const char* name, const SlidingMat& mat, const ExecutionOptions& execution,
           const char* format, const IterationCost& cost) {
  Row row = bench_row(name, mat.n_node(), 1, execution);
  row.at("format") = format;
  row.at("bytes_per_iteration") = cost.bytes;
  row.at("flops_per_iteration") = cost.flops;
  return row;
}

/// Eigen uses its own threads if it is allowed to.
Contestant eigen_product(const SlidingMat& mat, int threads) {
  struct Data {
    Eigen::SparseMatrix<double, Eigen::RowMajor> A;
    Eigen::VectorXd x, y;
  };
  const auto data = std::make_shared<Data>();
  data->A = mat.problem.A.to_eigen_rows();
  data->x = Eigen::VectorXd::Random(data->A.cols());
  data->y.resize(data->A.rows());
  return product_contestant(
      row_of("eigen_csr_product", mat, execution_on(Backend::cpu, Precision::double_, threads),
             "csr", scalar_product_cost(mat.problem)),
      [data, threads](int n) {
        Eigen::setNbThreads(threads);
        for (int i = 0; i < n; ++i) data->y.noalias() = data->A * data->x;
      });
}

template <class Real>
Contestant block_product(const SlidingMat& mat, Precision precision, int threads) {
  struct Data {
    std::vector<Real> value;
    std::vector<Vec3<Real>> x, y;
  };
  const auto data = std::make_shared<Data>();
  data->value.assign(mat.problem.A.value.begin(), mat.problem.A.value.end());
  for (const Vec3d& v : mat.warm.v) data->x.push_back(cast<Real>(v));
  data->y.resize(data->x.size());
  const BlockPattern& pattern = *mat.problem.A.pattern;
  const BlockProduct<Real> product{
      {pattern.n_row(), pattern.row_begin.data(), pattern.column.data(), data->value.data()},
      data->x.data(),
      data->y.data()};
  return product_contestant(
      row_of("block_product", mat, execution_on(Backend::cpu, precision, threads), "block_csr",
             block_product_cost(mat.problem, precision)),
      [data, product, threads](int n) {
        for (int i = 0; i < n; ++i) {
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
          for (int row = 0; row < product.A.n_row; ++row) product(row);
        }
      });
}

/// A whole iteration by the solver's stop rule.
Contestant cond_iteration(const SlidingMat& mat, const SolverOptions& solver) {
  const auto timer = std::make_shared<IterationTimer>(solver, mat.n_node());
  timer->sample(mat.problem, mat.warm);  // sets up, and records the device's graph
  Row row = row_of("iteration", mat, solver.execution, "sliced_blocks",
                   iteration_cost(mat.problem, solver.execution.precision));
  row.at("stop") = name_of(stop_rule_of(solver));
  return {row, [&mat, timer] {
            const IterationTimer::Sample sample = timer->sample(mat.problem, mat.warm);
            return sample.iterations > 0 ? sample.s_per_iteration() : kNotMeasured;
          }};
}

/// The velocity after kErrorIterations iterations from the same start.
std::vector<Vec3d> velocity_after(const SlidingMat& mat, SolverOptions solver) {
  solver.stop = StopRule::paper;
  solver.tolerance = 1e-300;
  solver.max_iterations = kErrorIterations;
  Solution solution;
  make_solver(solver)->solve(mat.problem, mat.warm, &solution);
  return solution.v;
}

double relative_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& reference) {
  double difference = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += squared_norm(a[i] - reference[i]);
    scale += squared_norm(reference[i]);
  }
  return std::sqrt(difference / scale);
}

}  // namespace

SlidingMat::SlidingMat(const Scenario& scenario, int n_node, const BenchOptions& options)
    : simulation({refined(scenario.scene, n_node)}, [&] {
        SolverOptions solver = scenario.solver;
        solver.max_iterations = std::min(solver.max_iterations, kLeadIterations);
        solver.execution.backend = options.has(Backend::cpu) ? Backend::cpu : Backend::cuda;
        return solver;
      }()) {
  begin_dragged_at(options.from_s, &simulation);
  for (int k = 0; k < options.lead_steps; ++k) simulation.step();
  problem = simulation.build_problem(&warm);
}

void bench_iterations(const SlidingMat& mat, const SolverOptions& base, const BenchOptions& options,
                      const BenchListener& listener) {
  const int n_thread = thread_count(base.execution.threads, mat.n_node());
  const bool on_cpu = base.execution.backend == Backend::cpu;
  SolverOptions solver = base;
  SolverOptions reference_solver = base;
  reference_solver.execution.precision = Precision::double_;
  if (options.has(Backend::cpu)) reference_solver.execution.backend = Backend::cpu;
  const std::vector<Vec3d> reference = velocity_after(mat, reference_solver);
  std::optional<Contestant> eigen;
  if (options.has(Backend::cpu)) eigen = eigen_product(mat, n_thread);
  for (Precision precision : options.precisions) {
    solver.execution.precision = precision;
    std::vector<Contestant> others;
    if (on_cpu && precision == Precision::double_)
      others.push_back(block_product<double>(mat, precision, n_thread));
    else if (on_cpu && precision == Precision::float_)
      others.push_back(block_product<float>(mat, precision, n_thread));
    const double error = relative_difference(velocity_after(mat, solver), reference);
    for (StopRule stop : {StopRule::paper, StopRule::residual}) {
      solver.stop = stop;
      others.push_back(cond_iteration(mat, solver));
      others.back().row.at("error_vs_double") = error;
    }
    std::vector<Contestant*> all;
    if (eigen) all.push_back(&*eigen);
    for (Contestant& other : others) all.push_back(&other);
    const std::vector<double> ratio = run_rounds(all, eigen ? &*eigen : nullptr, options.rounds);
    for (std::size_t k = eigen ? 1 : 0; k < all.size(); ++k) {
      all[k]->row.at("ratio_to_eigen_csr") = ratio[k];
      report(all[k], listener);
    }
  }
  if (!on_cpu) return;
  eigen->row.at("ratio_to_eigen_csr") = 1;
  report(&*eigen, listener);
}

}  // namespace nodia::studies
