/// summary.json, which `nodia run --json` also prints: one run in one object.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "host/io/archive.hpp"
#include "host/io/checksum.hpp"
#include "host/io/machine.hpp"
#include "host/simulation/check_result.hpp"
#include "host/simulation/simulation.hpp"

namespace nodia {

inline constexpr int kSummaryVersion = 2;  ///< format_version of summary.json; 1: without checksums

/// Largest value over the records of a run, or the first value that is not finite.
struct LargestValue {
  double value = 0;  ///< NaN or infinite if one of them is
  int env = 0, step = 0;
  std::string why;  ///< why it is not finite; empty if it is
};

/// Sums and extremes over the records of a run.
class StepStatistics {
 public:
  void add(const StepRecord& record);
  void archive(Archive& a);

  int steps() const { return n_record_; }
  int steps_on_device() const {
    return n_on_device_;
  }  ///< steps that the device computed completely
  int converged_steps() const;
  int failed_steps() const { return n_record_ - converged_steps(); }
  /// Number of the records that ended with a status, and the first of them.
  struct Ending {
    int count = 0;
    int env = 0, step = 0;
    double time_s = 0;
    std::string reason;  ///< may be empty
  };
  const std::map<SolveStatus, Ending>& endings() const { return endings_; }
  /// True if a record fails the run.
  bool failed() const;
  /// An environment that stopped because its state is not a number.
  struct Failure {
    int env = 0, step = 0;
    double time_s = 0;
    std::string reason;
  };
  const std::vector<Failure>& failures() const { return failures_; }
  /// Overlapping objects of the records.
  struct Overlap {
    int env = 0, step = 0;
    double time_s = 0;
    OverlapNotice notice;
  };
  const std::vector<Overlap>& overlaps() const { return overlaps_; }
  /// Largest rotation of a body in a step.
  struct Turn {
    int env = 0, step = 0;
    double time_s = 0;
    FastestTurn turn;
  };
  const Turn& largest_turn() const { return largest_turn_; }
  /// A mount that broke.
  struct Broken {
    std::string mount;
    int env = 0, step = 0;
    double time_s = 0;
  };
  const std::vector<Broken>& broken_mounts() const { return broken_mounts_; }
  /// Records in which a drive was at its effort limit, and the first of them.
  struct Limited {
    LimitedDrive drive;
    int count = 0;
    int env = 0, step = 0;
    double time_s = 0;
  };
  /// By the names of the drives.
  const std::map<std::string, Limited>& limited_drives() const { return limited_drives_; }
  int iterations_max() const { return iterations_max_; }
  /// Means over records; 0 before the first.
  double iterations_mean() const { return mean(iterations_); }
  double dynamics_ms_mean() const { return mean(dynamics_ms_); }
  double solver_ms_mean() const { return mean(solver_ms_); }
  const LargestValue& relative_residual() const { return relative_residual_; }
  const LargestValue& certificate_J() const { return certificate_J_; }
  const LargestValue& penetration_m() const { return penetration_m_; }
  /// Records with an error estimate; those of them that ended because the error was rounding; the
  /// largest estimate of the others (NaN if there are none). At rest, an estimate is relative to
  /// zero and has no meaning.
  int estimated_steps() const { return n_estimated_; }
  double error_estimate_max() const {
    return n_estimated_ > n_floor_ended_ ? error_estimate_max_
                                         : std::numeric_limits<double>::quiet_NaN();
  }
  int floor_ended_steps() const { return n_floor_ended_; }
  /// Number of records by the solver that `auto` selected; empty without `auto`.
  const std::map<std::string, int>& solvers() const { return solvers_; }
  /// Number of steps that `newton` did not solve by its own rule, and for which `auto` accepted its
  /// solution by the rule of `cond`, or took the solution of `cond`.
  int fell_back_steps() const { return n_fell_back_; }

 private:
  double mean(double sum) const { return n_record_ > 0 ? sum / n_record_ : 0; }

  int n_record_ = 0, n_on_device_ = 0, iterations_max_ = 0;
  std::map<SolveStatus, Ending> endings_;
  std::vector<Failure> failures_;
  std::vector<Overlap> overlaps_;
  Turn largest_turn_;
  std::vector<Broken> broken_mounts_;
  std::map<std::string, Limited> limited_drives_;
  double iterations_ = 0, dynamics_ms_ = 0, solver_ms_ = 0;
  LargestValue relative_residual_, certificate_J_, penetration_m_;
  int n_estimated_ = 0, n_floor_ended_ = 0;
  double error_estimate_max_ = 0;
  std::map<std::string, int> solvers_;
  int n_fell_back_ = 0;
};

/// One environment of a run.
struct EnvironmentSummary {
  std::uint64_t seed = 0, episode = 0;
  std::uint32_t attempt = 0;                               ///< number of the attempt at the episode
  std::vector<std::pair<std::string, std::string>> drawn;  ///< sampled values by key, as JSON
  int n_node = 0, n_tet = 0;
  int n_dof = 0;  ///< degrees of freedom of nodes, frames and robots
  StepStatistics statistics;
};

/// A trajectory in the run's directory, or a part of one.
struct RecordedFile {
  std::string name;
  std::int64_t n_frame = 0;
};

struct RunSummary {
  std::string scenario;
  std::string backend = "cpu";
  std::string backend_because;  ///< why `auto` selected it; empty if it was requested
  // Only for the backend cuda.
  std::optional<int> device;
  std::optional<std::string> loop;  ///< launcher of the loop
  std::string loop_because;         ///< why `auto` selected it; empty if it is the graph
  SolverOptions solver;
  std::vector<EnvironmentSummary> environments;  ///< [n_env]; the first gives n_node, n_tet, seed
  int steps = 0;                                 ///< steps of every environment that did not fail
  double simulated_s = 0;
  double wall_s = 0;                ///< wall time of the time loop, recording included
  StepStatistics statistics;        ///< sums over environments and steps
  std::vector<CheckResult> checks;  ///< checks of every environment
  std::vector<std::string>
      checks_not_reached;             ///< names of checks whose times the run did not reach
  bool interrupted = false;           ///< by SIGINT or SIGTERM; there are no checks then
  std::vector<std::string> warnings;  ///< warnings at the start
  std::string directory;
  std::vector<RecordedFile> trajectories;  ///< in `directory`
  BytesSum steps_sum;                      ///< sum of steps.csv
  std::string version, commit;
  Machine machine;
};

/// The object as indented JSON text with a final line end. Keys are stable: add new ones, never
/// rename. NaN and infinite values are null. The last key is the checksum of all text before it.
std::string summary_json(const RunSummary& summary);

/// True if the checksum at the end of such a text is that of the rest.
bool has_own_checksum(const std::string& summary_json);

}  // namespace nodia
