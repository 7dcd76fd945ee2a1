#include "host/solvers/solver_state.hpp"

#include "host/solvers/interface.hpp"

namespace nodia {

SolverStates states_of(ContactSolver* solver, int n_env) {
  SolverStates all;
  for (int e = 0; e < n_env; ++e) all.push_back(solver->state(e));
  return all;
}

void set_states_of(ContactSolver* solver, const SolverStates& state) {
  for (std::size_t e = 0; e < state.size(); ++e) solver->set_state(static_cast<int>(e), state[e]);
}

}  // namespace nodia
