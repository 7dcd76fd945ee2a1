#include "host/simulation/run_step.hpp"

namespace nodia {

void build_problem(BatchProblem* batch) {
  batch->start();          // kinematics and external forces at the start of the step
  batch->assemble();       // A, b
  batch->predict();        // free motion: how far the search must look
  batch->detect();         // candidate pairs
  batch->make_contacts();  // frame, gap, friction, initial guess of the forces
}

void run_step(BatchProblem* batch, ContactSolver* solver, Solution* solution, StepRecord* records,
              char* stepped, int most_solves) {
  build_problem(batch);
  double before_s = 0;  // wall time of the solves before the last one
  for (int solve = 1;; ++solve) {
    solver->solve(batch->problem(), batch->initial_guess(), solution);
    if (solve == most_solves || !batch->make_contacts_again(*solution)) break;
    before_s += solution->env.front().time_s;
  }
  solution->env.front().time_s += before_s;
  batch->finish(batch->problem(), *solution, records, stepped);  // state at the end, record
}

}  // namespace nodia
