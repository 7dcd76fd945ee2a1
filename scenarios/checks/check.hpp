/// Checks: results that are known before a scenario runs, and their comparison with the run.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/checks/all_steps_converged.hpp"
#include "scenarios/checks/body_position.hpp"
#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/contact_force.hpp"
#include "scenarios/checks/drift.hpp"
#include "scenarios/checks/energy.hpp"
#include "scenarios/checks/force_balance.hpp"
#include "scenarios/checks/friction_in_cone.hpp"
#include "scenarios/checks/max_penetration.hpp"
#include "scenarios/checks/node_distance.hpp"
#include "scenarios/checks/node_position.hpp"
#include "scenarios/checks/reference_csv.hpp"
#include "scenarios/checks/sensor_force.hpp"
#include "scenarios/checks/sticks_and_slips.hpp"
#include "scenarios/checks/weight_on_obstacle.hpp"
#include "scenarios/checks/wound_turns.hpp"

namespace nodia {

/// The kinds of checks, in the order of the schema.
using CheckKind = std::variant<WeightOnObstacle, MaxPenetration, FrictionInCone, AllStepsConverged,
                               EnergyNonIncreasing, EnergyBalance, NodePosition, SticksAndSlips,
                               ReferenceCsv, BodyPosition, SensorForce, ForceBalance, Drift,
                               ContactForce, NodeDistance, WoundTurns>;

struct CheckDescription {
  std::string name;
  CheckKind kind;
};

using CheckOptions = std::vector<CheckDescription>;

/// Validates checks in a scene. @throws ValueError for the first broken rule, `checks.NAME.body =
/// ...`
void validate(const CheckOptions& checks, const Scene& scene);

/// Evaluates the checks of one environment.
class ScenarioChecks {
 public:
  /// @throws InputError if a check names an object, a node set or a sensor that the scene does not
  ///         have, or if a reference file cannot be read
  ScenarioChecks(const Scene& scene, const CheckOptions& checks);
  ~ScenarioChecks();

  /// Must be called once for every step, in order.
  void observe(const StepView& view);

  /// Saves or loads the data that the checks have collected.
  void archive(Archive& a);

  /// Results of the checks whose time the run has reached, in the order of the scenario. A failed
  /// check reports the bound that it broke. A check whose value is not a number has failed.
  std::vector<CheckResult> results() const;
  /// Names of the checks whose time the run has not reached.
  std::vector<std::string> not_reached() const;

 private:
  std::vector<std::unique_ptr<CheckEvaluator>> evaluators_;
};

inline void visit_keys(DocumentVisitor& v, CheckDescription& c) {
  v.tagged({"check", "what is compared", "", true}, c.kind);
}

}  // namespace nodia
