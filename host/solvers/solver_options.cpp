#include "host/solvers/solver_options.hpp"

#include "host/solvers/catalogue.hpp"

namespace nodia {

void SolverOptions::validate() const {
  SolverOptions visited = *this;
  KeyCheck check("solver");
  visit_keys(check, visited);
  require_available(factor.factoriser);
}

void visit_keys(KeyVisitor& v, SolverOptions& o) {
  v.text({"solver", "name in the catalogue (nodia info lists them)", "try cond"}, o.solver);
  visit_iteration_keys(v, o);
  for (const SolverEntry& entry : solver_catalogue())
    if (entry.visit && entry.keys == KeysStand::among_all) entry.visit(v, o);
  visit_effort_keys(v, o);
  for (const SolverEntry& entry : solver_catalogue())
    if (entry.visit && entry.keys == KeysStand::in_own_group)
      v.group({entry.name, "options of this solver alone"},
              [&](KeyVisitor& members) { entry.visit(members, o); });
}

}  // namespace nodia
