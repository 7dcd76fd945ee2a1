/// summary.json, and what `nodia run --json` prints: one run in one object.
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

/// The largest of a value over the records of a run, and where it is none first.
struct LargestValue {
  double value = 0;  ///< NaN or infinite as soon as one of them is
  int env = 0, step = 0;
  std::string why;  ///< it is not finite; empty where it is
};

/// Sums and extremes over the records of a run.
class StepStatistics {
 public:
  void add(const StepRecord& record);
  void archive(Archive& a);

  int steps() const { return n_record_; }
  int steps_on_device() const { return n_on_device_; }  ///< as a whole
  int converged_steps() const;
  int failed_steps() const { return n_record_ - converged_steps(); }
  /// The records that ended with a status, and the first of them.
  struct Ending {
    int count = 0;
    int env = 0, step = 0;
    double time_s = 0;
    std::string reason;  ///< may be empty
  };
  const std::map<SolveStatus, Ending>& endings() const { return endings_; }
  /// Whether one of them ended so that the run has failed.
  bool failed() const;
  /// An environment that stopped because it is not a number.
  struct Failure {
    int env = 0, step = 0;
    double time_s = 0;
    std::string reason;
  };
  const std::vector<Failure>& failures() const { return failures_; }
  /// Objects that lie in each other, as told by the records.
  struct Overlap {
    int env = 0, step = 0;
    double time_s = 0;
    OverlapNotice notice;
  };
  const std::vector<Overlap>& overlaps() const { return overlaps_; }
  int iterations_max() const { return iterations_max_; }
  /// Means over records; 0 before the first.
  double iterations_mean() const { return mean(iterations_); }
  double dynamics_ms_mean() const { return mean(dynamics_ms_); }
  double solver_ms_mean() const { return mean(solver_ms_); }
  const LargestValue& relative_residual() const { return relative_residual_; }
  const LargestValue& certificate_J() const { return certificate_J_; }
  const LargestValue& penetration_m() const { return penetration_m_; }
  /// Records with an estimate of the error; those of them that ended because the error was
  /// rounding; the largest estimate of the others, which at rest is relative to nothing (NaN
  /// without any).
  int estimated_steps() const { return n_estimated_; }
  double error_estimate_max() const {
    return n_estimated_ > n_floor_ended_ ? error_estimate_max_
                                         : std::numeric_limits<double>::quiet_NaN();
  }
  int floor_ended_steps() const { return n_floor_ended_; }
  /// Records by the solver that `auto` chose; empty where none did.
  const std::map<std::string, int>& solvers() const { return solvers_; }

 private:
  double mean(double sum) const { return n_record_ > 0 ? sum / n_record_ : 0; }

  int n_record_ = 0, n_on_device_ = 0, iterations_max_ = 0;
  std::map<SolveStatus, Ending> endings_;
  std::vector<Failure> failures_;
  std::vector<Overlap> overlaps_;
  double iterations_ = 0, dynamics_ms_ = 0, solver_ms_ = 0;
  LargestValue relative_residual_, certificate_J_, penetration_m_;
  int n_estimated_ = 0, n_floor_ended_ = 0;
  double error_estimate_max_ = 0;
  std::map<std::string, int> solvers_;
};

/// One environment of a run.
struct EnvironmentSummary {
  std::uint64_t seed = 0, episode = 0;
  std::uint32_t attempt = 0;                               ///< at the episode
  std::vector<std::pair<std::string, std::string>> drawn;  ///< values drawn by key, as JSON
  int n_node = 0, n_tet = 0;
  int n_dof = 0;  ///< of nodes, frames and robots
  StepStatistics statistics;
};

/// A trajectory of the run's directory, or a part of one.
struct RecordedFile {
  std::string name;
  std::int64_t n_frame = 0;
};

struct RunSummary {
  std::string scenario;
  std::string backend = "cpu";
  std::string backend_because;  ///< why `auto` came to it; empty where it was asked for
  // Of the backend cuda.
  std::optional<int> device;
  std::optional<std::string> loop;  ///< by which launcher
  std::string loop_because;         ///< why `auto` came to it; empty where it is the graph
  SolverOptions solver;
  std::vector<EnvironmentSummary> environments;  ///< [n_env]; the first gives n_node, n_tet, seed
  int steps = 0;                                 ///< of every environment that did not fail
  double simulated_s = 0;
  double wall_s = 0;                            ///< of the time loop, recording included
  StepStatistics statistics;                    ///< over environments and steps
  std::vector<CheckResult> checks;              ///< of every environment
  std::vector<std::string> checks_not_reached;  ///< names of those whose time had not come
  bool interrupted = false;                     ///< by SIGINT or SIGTERM; checks are then left out
  std::vector<std::string> warnings;            ///< told at the start
  std::string directory;
  std::vector<RecordedFile> trajectories;  ///< in `directory`
  BytesSum steps_sum;                      ///< of steps.csv
  std::string version, commit;
  Machine machine;
};

/// The object as indented JSON text with a final line end. Keys are a contract: add, never rename.
/// What is not a number is null.
/// The last key is the checksum of all text before it.
std::string summary_json(const RunSummary& summary);

/// Whether the checksum at the end of such a text is that of the rest.
bool has_own_checksum(const std::string& summary_json);

}  // namespace nodia
