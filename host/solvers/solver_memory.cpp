#include "host/solvers/solver_memory.hpp"

#include "host/solvers/interface.hpp"

namespace nodia {

SolverMemory memory_of(ContactSolver* solver, int n_env) {
  SolverMemory all;
  for (int e = 0; e < n_env; ++e) all.push_back(solver->memory(e));
  return all;
}

void set_memory_of(ContactSolver* solver, const SolverMemory& memory) {
  for (std::size_t e = 0; e < memory.size(); ++e)
    solver->set_memory(static_cast<int>(e), memory[e]);
}

}  // namespace nodia
