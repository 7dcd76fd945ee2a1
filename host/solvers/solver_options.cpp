#include "host/solvers/solver_options.hpp"

#include "host/solvers/catalogue.hpp"

namespace nodia {
namespace {

constexpr const char* kOwnGroup = "options of this solver alone";

}  // namespace

void SolverOptions::validate() const {
  SolverOptions visited = *this;
  KeyCheck check("solver");
  visit_keys(check, visited);
  require_available(factor.factoriser);
  stop_rule_of(*this);
}

void visit_keys(KeyVisitor& v, SolverOptions& o) {
  v.text({"solver", "name in the catalogue (nodia info lists them)", "try cond"}, o.solver);
  visit_iteration_keys(v, o);
  for (const SolverEntry& entry : solver_catalogue())
    if (entry.visit && entry.keys == KeysStand::among_all) entry.visit(v, o);
  visit_effort_keys(v, o);
  for (const SolverEntry& entry : solver_catalogue())
    if (entry.visit && entry.keys == KeysStand::in_own_group)
      v.group({entry.name, kOwnGroup}, [&](KeyVisitor& members) { entry.visit(members, o); });
  for (const StepperEntry& entry : stepper_catalogue())
    v.group({entry.name, kOwnGroup}, [&](KeyVisitor& members) { entry.visit(members, o); });
}

}  // namespace nodia
