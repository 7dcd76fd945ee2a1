/// The catalogue, two visible tables: solvers of single problems, and steppers, which advance whole
/// scenes without one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// Where the keys of a solver's own options stand in a scenario: `solver.name.key` or `solver.key`.
enum class KeysStand { in_own_group, among_all };

struct SolverEntry {
  const char* name;
  const char* description;
  std::unique_ptr<ContactSolver> (*make)(const SolverOptions&);
  /// Visits the keys that belong to this solver alone; null: it has none.
  void (*visit)(KeyVisitor&, SolverOptions&) = nullptr;
  KeysStand keys = KeysStand::in_own_group;
  /// `stop: auto`. Those of `energy` and `automatic` take no other rule, all others take `residual`
  /// and `paper`.
  StopRule own_rule = StopRule::residual;
};
const std::vector<SolverEntry>& solver_catalogue();

/// `stop: auto` of a method by its name.
StopRule own_rule_of(const std::string& name);

/// The rule by which the chosen method stops; `automatic` of a method that chooses others. @throws
/// InputError for one that it does not take
StopRule stop_rule_of(const SolverOptions& options);

/// The tolerance of that rule: the one given, or the rule's own; kOwnTolerance of a method that
/// chooses others, which then have their own.
double tolerance_of(const SolverOptions& options);

/// Made by host/simulation/stepper.hpp.
struct StepperEntry {
  const char* name;
  const char* description;
  void (*visit)(KeyVisitor&, SolverOptions&);
};
const std::vector<StepperEntry>& stepper_catalogue();

/// SolverEntry::visit where the solver's own options are this struct.
template <class Own>
void own_keys(KeyVisitor& v, SolverOptions& o) {
  visit_keys(v, o.of<Own>());
}

bool is_stepper(const std::string& name);

/// Names of both tables.
std::vector<std::string> method_names();

/// A solver by its name in the catalogue. @throws InputError naming the nearest known name, or a
/// bad option
/// @param aggregates  as ContactSolver::share() takes them; null: it shares with no other
std::unique_ptr<ContactSolver> make_solver(
    const SolverOptions& options, const std::shared_ptr<AggregatePool>& aggregates = nullptr);

}  // namespace nodia
