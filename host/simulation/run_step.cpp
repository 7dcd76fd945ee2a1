#include "host/simulation/run_step.hpp"

#include <algorithm>

namespace nodia {

void build_problem(BatchProblem* batch) {
  batch->start();          // kinematics and external forces at the start of the step
  batch->assemble();       // A, b
  batch->predict();        // free motion: how far the search must look
  batch->detect();         // candidate pairs
  batch->make_contacts();  // frame, gap, friction, initial guess of the forces
}

namespace {

/// Solves of a step until A and b expect their solution.
constexpr int kMostSolves = 16;

/// Takes solution and solver's state of the environments that did not change from the last solve.
void keep_unchanged(const ContactProblem& problem, const std::vector<char>& changed,
                    const Solution& last, const SolverStates& states, ContactSolver* solver,
                    Solution* solution) {
  for (int e = 0; e < problem.n_env(); ++e) {
    if (changed[static_cast<std::size_t>(e)]) {
      solution->env[e].time_s += last.env[e].time_s;
      continue;
    }
    const auto keep = [e](const auto& from, const std::vector<std::int32_t>& begin, auto* to) {
      std::copy(from.begin() + begin[e], from.begin() + begin[e + 1], to->begin() + begin[e]);
    };
    keep(last.v, problem.env_node_begin, &solution->v);
    keep(last.lambda, problem.env_contact_begin, &solution->lambda);
    solution->env[e] = last.env[e];
    solver->set_state(e, states[static_cast<std::size_t>(e)]);
  }
}

/// Solves until the drives that are at their effort limits, and the rotations of bodies with
/// joints, are those that A and b expect.
void solve_as_expected(BatchProblem* batch, ContactSolver* solver, Solution* solution) {
  const ContactProblem& problem = batch->problem();
  solver->solve(problem, batch->initial_guess(), solution);
  std::vector<char> changed;
  for (int k = 1; k < kMostSolves && batch->assemble_again(*solution, k < 3 ? 1 : 0.5, &changed);
       ++k) {
    const Solution last = *solution;
    const SolverStates states = states_of(solver, problem.n_env());
    solver->solve(problem, batch->initial_guess(), solution);
    keep_unchanged(problem, changed, last, states, solver, solution);
  }
}

}  // namespace

void run_step(BatchProblem* batch, ContactSolver* solver, Solution* solution, StepRecord* records,
              char* stepped, int most_solves) {
  build_problem(batch);
  double before_s = 0;  // wall time of the solves before the last one
  for (int solve = 1;; ++solve) {
    solve_as_expected(batch, solver, solution);
    if (solve == most_solves || !batch->make_contacts_again(*solution)) break;
    before_s += solution->env.front().time_s;
  }
  solution->env.front().time_s += before_s;
  batch->finish(batch->problem(), *solution, records, stepped);  // state at the end, record
}

}  // namespace nodia
