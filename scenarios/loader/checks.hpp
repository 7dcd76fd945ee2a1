/// Answers known before a scenario runs, and their comparison with the run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "host/io/summary_json.hpp"
#include "host/simulation/simulation.hpp"

namespace nodia {

/// Mean vertical force of one obstacle and of the attachments on the bodies = their weight. Value:
/// |force/weight - 1| [-].
struct WeightOnObstacle {
  std::string obstacle;
  double from_s = 0, to_s = 0;       ///< steps that end in (from, to] [s]
  double relative_tolerance = 0.01;  ///< [-], > 0
};

/// Deepest penetration of any node at the end of any step [m].
struct MaxPenetration {
  double bound_m = 1e-5;  ///< [m], > 0
};

/// Excess of any contact force over its friction cone, (|lambda_t| - mu lambda_n)/(mu lambda_n +
/// floor), floor 1e-9 N [-]; an ellipse where friction is anisotropic; a pulling force counts with
/// its size.
struct FrictionInCone {
  double tolerance = 1e-9;  ///< [-], > 0
};

/// Steps that did not end `converged`: none.
struct AllStepsConverged {};

/// Largest rise of kinetic plus potential energy above its least value before, work of moving
/// frames taken off [J].
struct EnergyNonIncreasing {
  double from_s = 0, to_s = 0;  ///< steps that end in (from, to] [s]
  double tolerance_J = 1e-6;    ///< [J], > 0
};

enum class Axis { x, y, z };
enum class Statistic { mean, lowest, highest };

/// A coordinate of a set of nodes at one time lies between two bounds [m].
struct NodePosition {
  std::string body;
  std::string node_set;  ///< empty: all nodes
  Axis axis = Axis::z;
  Statistic of = Statistic::mean;
  std::optional<double>
      at_s;  ///< end of the first step at or behind it; absent: end of the run [s]
  std::optional<double> above_m;  ///< at least one of the two [m]
  std::optional<double> below_m;
};

/// At some step at least `nodes` contacts stick while at least as many slip.
struct SticksAndSlips {
  double from_s = 0, to_s = 0;  ///< steps that end in (from, to] [s]
  int nodes = 1;                ///< >= 1
};

using CheckKind = std::variant<WeightOnObstacle, MaxPenetration, FrictionInCone, AllStepsConverged,
                               EnergyNonIncreasing, NodePosition, SticksAndSlips>;

struct CheckDescription {
  std::string name;
  CheckKind kind;
};

using CheckOptions = std::vector<CheckDescription>;

/// Watches one environment and judges it.
class ScenarioChecks {
 public:
  /// @throws InputError where a check names an obstacle, a body or a node set that the scene does
  /// not have
  ScenarioChecks(const Scene& scene, const CheckOptions& checks);
  ~ScenarioChecks();

  /// To be called once for every step, in order.
  void observe(const StepView& view);

  /// The checks whose time has come, in the order of the scenario. The bound of a failed check is
  /// the one it breaks.
  std::vector<CheckResult> results() const;
  /// Names of the others: the run ended before.
  std::vector<std::string> not_reached() const;

  /// One check at work.
  class Judge;

 private:
  std::vector<std::unique_ptr<Judge>> judges_;
};

}  // namespace nodia
