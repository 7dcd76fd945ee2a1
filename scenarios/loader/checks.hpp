/// Answers known before a scenario runs, and their comparison with the run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "host/simulation/check_result.hpp"
#include "host/simulation/simulation.hpp"

namespace nodia {

/// Mean vertical force of one obstacle, of the attachments and of the mounts on the bodies = their
/// weight, robots left out of both. Value: |force/weight - 1| [-].
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
/// its size. Without any contact nothing is compared.
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

/// A recorded run of a cable that another program made: force of a sensor and centres of nine
/// links.
///
/// File: a row a step k = 0, 1, ..., at k time steps: k, time [s], Fx, Fy, Fz [N], three values
/// that are not read, then x, y, z [m] of links s (n - 1)/8 (integer division), s = 0..8, of n;
/// separated by commas or blanks, '#' begins a comment. Results NAME.force: root of the mean over
/// the steps of the squared norm of the difference of forces [N] (k = 0 has no record and is left
/// out); NAME.position: the largest over the nine links of the mean over the steps of the distance
/// at the same arc length [m].
struct ReferenceCsv {
  std::string sensor;
  std::string cable;                        ///< empty: the only one
  std::optional<std::string> reference;     ///< a file; absent: not compared
  std::optional<int> reference_links;       ///< n; absent: the cable's
  std::optional<double> force_rms_bound_N;  ///< [N], > 0; at least one of the two
  std::optional<double> position_bound_m;   ///< [m], > 0
};

/// A coordinate of a rigid body's centre of mass, of a cable's links or of one of its ends at one
/// time lies between two bounds [m].
struct BodyPosition {
  std::string body;
  MountPoint at = MountPoint::body;  ///< body: the centre of mass, the links' centres
  Axis axis = Axis::z;
  Statistic of = Statistic::mean;  ///< over the links
  std::optional<double>
      at_s;  ///< end of the first step at or behind it; absent: end of the run [s]
  std::optional<double> above_m;  ///< at least one of the two [m]
  std::optional<double> below_m;
};

enum class ForcePart { x, y, z, norm };

/// Mean over steps of a component of a sensor's force, or of its norm. Value: |mean - value_N| [N].
struct SensorForce {
  std::string sensor;
  ForcePart axis = ForcePart::norm;
  double from_s = 0, to_s = 0;  ///< steps that end in (from, to] [s]
  double value_N = 0;
  std::optional<double> relative_tolerance;  ///< of |value_N| [-], > 0; exactly one of the two
  std::optional<double> tolerance_N;         ///< [N], > 0
};

enum class ContactForcePart { x, y, z, norm, normal };

/// Mean over steps of a component of the sum of all contact forces on one object by another, of its
/// norm, or of the sum of the contacts' normal forces. Value: |mean - value_N| [N].
struct ContactForce {
  std::string on;  ///< name of a body, cable, robot or obstacle
  std::string by;  ///< the same, or empty: by everything else
  ContactForcePart part = ContactForcePart::norm;
  double from_s = 0, to_s = 0;  ///< steps that end in (from, to] [s]
  double value_N = 0;
  std::optional<double> relative_tolerance;  ///< of |value_N| [-], > 0; exactly one of the two
  std::optional<double> tolerance_N;         ///< [N], > 0
};

/// Newton's second law for all soft bodies, rigid bodies and cables together, over the steps in
/// (from, to]: gravity, force_N, drag and Rayleigh damping, contacts with obstacles and robots, and
/// holders change their momentum by what they sum up to. Value: |sum - change/time| [N].
struct ForceBalance {
  double from_s = 0, to_s = 0;               ///< steps that end in (from, to] [s]
  std::optional<double> relative_tolerance;  ///< of weight and force_N [-], > 0; exactly one
  std::optional<double> tolerance_N;         ///< [N], > 0
};

/// Mean position of a soft body, a rigid body or a cable at the end of the last step in (from, to]
/// against that of the first, by time. Value: distance by time [m/s].
struct Drift {
  std::string body;
  double from_s = 0, to_s = 0;
  double bound_m_s = 1e-4;  ///< [m/s], > 0
};

using CheckKind = std::variant<WeightOnObstacle, MaxPenetration, FrictionInCone, AllStepsConverged,
                               EnergyNonIncreasing, NodePosition, SticksAndSlips, ReferenceCsv,
                               BodyPosition, SensorForce, ForceBalance, Drift, ContactForce>;

struct CheckDescription {
  std::string name;
  CheckKind kind;
};

using CheckOptions = std::vector<CheckDescription>;

/// Watches one environment and judges it.
class ScenarioChecks {
 public:
  /// @throws InputError where a check names an object, a node set or a sensor that the scene does
  /// not have, or a reference that cannot be read
  ScenarioChecks(const Scene& scene, const CheckOptions& checks);
  ~ScenarioChecks();

  /// To be called once for every step, in order.
  void observe(const StepView& view);

  /// The checks whose time has come, in the order of the scenario. The bound of a failed check is
  /// the one it breaks. One whose value is not a number is not compared and has failed.
  std::vector<CheckResult> results() const;
  /// Names of the others: the run ended before.
  std::vector<std::string> not_reached() const;

  /// One check at work.
  class Judge;

 private:
  std::vector<std::unique_ptr<Judge>> judges_;
};

}  // namespace nodia
