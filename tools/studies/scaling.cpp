#include "tools/studies/scaling.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>

#include "host/simulation/simulation.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/threads.hpp"
#include "tools/studies/iteration_cost.hpp"
#include "tools/studies/memory_speed.hpp"
#include "tools/studies/refinement.hpp"

namespace nodia::studies {
namespace {

double resident_MB() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

double seconds_per_iteration(const SolverOptions& options, const ContactProblem& problem,
                             const WarmStart& warm) {
  SolverOptions paper = options;
  paper.stop = StopRule::paper;
  IterationTimer timer(paper, problem.n_node());
  IterationTimer::Sample least = timer.sample(problem, warm);
  for (int repeat = 0; repeat < 5; ++repeat) {
    const IterationTimer::Sample sample = timer.sample(problem, warm);
    least.few_s = std::min(least.few_s, sample.few_s);
    least.more_s = std::min(least.more_s, sample.more_s);
  }
  return least.s_per_iteration();
}

}  // namespace

ScalingRow measure_size(const Scenario& scenario, int n_node, const ScalingOptions& options) {
  SolverOptions residual = scenario.solver, paper = scenario.solver;
  residual.stop = StopRule::residual;
  paper.stop = StopRule::paper;
  residual.max_iterations = paper.max_iterations = options.max_iterations;

  Simulation simulation({refined(scenario.scene, n_node)}, residual);
  begin_at(options.from_s, &simulation);
  const auto residual_solver = make_solver(residual), paper_solver = make_solver(paper);

  ScalingRow row;
  row.solver = residual.solver;
  row.n_node = simulation.model().n_node();
  row.n_tet = simulation.model().n_tet();
  row.n_dof = 3 * row.n_node;
  row.threads = thread_count(residual.threads, row.n_node);
  WarmStart warm;
  Solution answer, paper_answer;
  ContactProblem problem;
  for (int k = 0; k < options.steps; ++k) {
    const auto start = std::chrono::steady_clock::now();
    problem = simulation.build_problem(&warm);
    row.dynamics_ms +=
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    paper_solver->solve(problem, warm, &paper_answer);
    row.iterations_paper += paper_answer.env[0].iterations;
    row.failed_paper += paper_answer.env[0].status != SolveStatus::converged;
    residual_solver->solve(problem, warm, &answer);
    row.iterations_residual += answer.env[0].iterations;
    row.failed_residual += answer.env[0].status != SolveStatus::converged;
    row.solver_ms += 1e3 * answer.env[0].time_s;
    row.n_contact = problem.n_contact();
    simulation.advance(problem, answer);
  }
  for (double* mean :
       {&row.iterations_paper, &row.iterations_residual, &row.solver_ms, &row.dynamics_ms})
    *mean /= options.steps;
  row.memory_MB = resident_MB();
  row.bytes_per_iteration = iteration_cost(problem, residual.of<CondOptions>().precision).bytes;
  row.us_per_iteration = 1e6 * seconds_per_iteration(residual, problem, warm);
  row.read_us = 1e6 * read_time_s(static_cast<std::size_t>(row.bytes_per_iteration), row.threads);
  return row;
}

PowerFit fit_total(const std::vector<ScalingRow>& rows, double cache_bytes, bool inside) {
  std::vector<std::pair<double, double>> points;
  for (const ScalingRow& row : rows)
    if ((row.bytes_per_iteration <= cache_bytes) == inside)
      points.emplace_back(std::log(row.n_node), std::log(row.solver_ms + row.dynamics_ms));
  PowerFit fit;
  fit.n_row = static_cast<int>(points.size());
  if (fit.n_row < 2) return fit;
  double mean_x = 0, mean_y = 0;
  for (const auto& [x, y] : points) mean_x += x / fit.n_row, mean_y += y / fit.n_row;
  double xx = 0, xy = 0, yy = 0;
  for (const auto& [x, y] : points) {
    xx += (x - mean_x) * (x - mean_x);
    xy += (x - mean_x) * (y - mean_y);
    yy += (y - mean_y) * (y - mean_y);
  }
  fit.exponent = xy / xx;
  fit.coefficient = std::exp(mean_y - fit.exponent * mean_x);
  fit.r_squared = yy > 0 ? xy * xy / (xx * yy) : 1;
  return fit;
}

}  // namespace nodia::studies
