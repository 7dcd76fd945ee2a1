/// The catalogue: one table of solvers for single problems, and one of steppers, which advance
/// whole scenes without a ContactProblem.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/solvers/device_batch_solver.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// Position of a solver's own keys in a scenario: `solver.name.key` or `solver.key`.
enum class KeysStand { in_own_group, among_all };

struct SolverEntry {
  const char* name;
  const char* description;
  std::unique_ptr<ContactSolver> (*make)(const SolverOptions&);
  /// Visits the keys that belong to this solver only; null if there are none.
  void (*visit)(KeyVisitor&, SolverOptions&) = nullptr;
  KeysStand keys = KeysStand::in_own_group;
  /// Meaning of `stop: auto`. Solvers with `energy` or `automatic` accept no other rule; all others
  /// accept `residual` and `paper`.
  StopRule own_rule = StopRule::residual;
};
const std::vector<SolverEntry>& solver_catalogue();

/// Meaning of `stop: auto` for a method, by its name.
StopRule own_rule_of(const std::string& name);

/// Stopping rule of the chosen method; `automatic` if the method chooses others.
/// @throws InputError for a rule that the method does not accept
StopRule stop_rule_of(const SolverOptions& options);

/// Tolerance of that rule: the given one, or the rule's default; kOwnTolerance if the method
/// chooses others, which have their own.
double tolerance_of(const SolverOptions& options);

/// Entry of a stepper, constructed by host/simulation/stepper.hpp.
struct StepperEntry {
  const char* name;
  const char* description;
  void (*visit)(KeyVisitor&, SolverOptions&);
};
const std::vector<StepperEntry>& stepper_catalogue();

/// SolverEntry::visit for a solver whose own options are this struct.
template <class Own>
void own_keys(KeyVisitor& v, SolverOptions& o) {
  visit_keys(v, o.of<Own>());
}

bool is_stepper(const std::string& name);

/// Names of both tables.
std::vector<std::string> method_names();

/// Makes a solver by its name. @throws InputError with the nearest known name, or for a bad option
/// @param aggregates  see ContactSolver::share(); null: nothing is shared
std::unique_ptr<ContactSolver> make_solver(
    const SolverOptions& options, const std::shared_ptr<AggregatePool>& aggregates = nullptr);

/// Makes the solver that advances a batch on a device: COND. @throws InputError for a bad option
std::unique_ptr<DeviceBatchSolver> make_device_batch_solver(const SolverOptions& options);

}  // namespace nodia
