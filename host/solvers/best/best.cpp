#include "host/solvers/best/best.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/base/threads.hpp"
#include "host/errors/errors.hpp"
#include "host/solvers/catalogue.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Names of all solvers of single problems except this one.
std::vector<std::string> known_solvers() {
  std::vector<std::string> known;
  for (const SolverEntry& entry : solver_catalogue())
    if (std::string(entry.name) != kBestName) known.emplace_back(entry.name);
  return known;
}

/// Energy error at the velocity that the forces cause [J]; infinite if it cannot be measured.
double energy_error(const ContactProblem& part, const Solution& solution, int first_node,
                    int first_contact, bool exact_diagonal) {
  const auto v = solution.v.begin() + first_node;
  const auto lambda = solution.lambda.begin() + first_contact;
  const std::vector<Vec3d> force(lambda, lambda + part.n_contact());
  if (!std::all_of(force.begin(), force.end(), [](Vec3d f) { return is_finite(f); }))
    return std::numeric_limits<double>::infinity();
  try {
    const TrueError dynamics(part, std::vector<Vec3d>(v, v + part.n_node()));
    const double error = measure_errors(part, 0, dynamics.consistent_velocity(force), force,
                                        exact_diagonal ? delassus_diagonal_exact(part)
                                                       : delassus_diagonal_estimate(part))
                             .energy_error_J;
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
  } catch (const RuntimeError&) {
    return std::numeric_limits<double>::infinity();
  }
}

}  // namespace

void visit_keys(KeyVisitor& v, BestOptions& o) {
  v.names({"solvers", "that are tried, with commas"}, o.solvers, known_solvers());
}

BestSolver::BestSolver(const SolverOptions& options) : options_(options) {
  for (const std::string& name : split_names(options.of<BestOptions>().solvers)) {
    SolverOptions one = options;
    one.solver = name;
    solvers_.emplace_back(name, make_solver(one));
  }
}

void BestSolver::solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) {
  std::vector<Solution> solutions(solvers_.size());
  for (std::size_t k = 0; k < solvers_.size(); ++k)
    solvers_[k].second->solve(problem, warm, &solutions[k]);
  *out = solutions.front();
  for_each_environment(problem.n_env(), options_.execution.threads, [&](int e) {
    const ContactProblem part = problem.environment(e);
    const int node = problem.env_node_begin[e], contact = problem.env_contact_begin[e];
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity(), seconds = 0;
    for (std::size_t k = 0; k < solutions.size(); ++k) {
      const double error = energy_error(part, solutions[k], node, contact, options_.full_errors);
      seconds += solutions[k].env[e].time_s;
      if (error < least) {
        least = error;
        best = k;
      }
    }
    const Solution& taken = solutions[best];
    std::copy_n(taken.v.begin() + node, part.n_node(), out->v.begin() + node);
    std::copy_n(taken.lambda.begin() + contact, part.n_contact(), out->lambda.begin() + contact);
    SolveReport& report = out->env[e];
    report = taken.env[e];
    report.time_s = seconds;
    const std::string& name = solvers_[best].first;
    report.reason = report.reason.empty() ? "answer of " + name
                                          : fmt::format("answer of {}: {}", name, report.reason);
  });
}

SolverState BestSolver::state(int env) {
  SolverState all;
  for (const auto& [name, solver] : solvers_) add_named(name, solver->state(env), &all);
  return all;
}

void BestSolver::set_state(int env, const SolverState& state) {
  for (const auto& [name, solver] : solvers_) solver->set_state(env, part_named(name, state));
}

std::unique_ptr<ContactSolver> make_best_solver(const SolverOptions& options) {
  return std::make_unique<BestSolver>(options);
}

}  // namespace nodia
