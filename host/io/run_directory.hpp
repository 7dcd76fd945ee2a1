/// Files of a run: config.yaml, steps.csv, trajectory.vtkhdf, summary.json; for a batch, the
/// trajectory and the configuration of every recorded environment.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/io/output_folder.hpp"
#include "host/io/steps_csv.hpp"
#include "host/io/summary_json.hpp"
#include "host/io/trajectory.hpp"

namespace nodia {

/// Writes the files of one run.
///
/// The folder is locked while this object exists; before, it contained no file with a name of
/// run_files(). summary.json is written last: if it exists, the run ended in order.
class RunDirectory {
 public:
  struct Options {
    int every_steps = 1;   ///< steps between two frames of the trajectory, >= 1
    int part_frames = 50;  ///< frames in one part of the trajectory, >= 1
    std::optional<std::vector<int>> recorded = {};  ///< environments with a trajectory; absent: all
    ContactGroups contact_columns = ContactGroups::automatic;  ///< of steps.csv
  };

  /// Begins the files of a run. The initial states are the first frames.
  /// @param folder      made with run_files()
  /// @param simulation  must outlive this object
  /// @throws RuntimeError if a file cannot be written
  RunDirectory(OutputFolder folder, const Simulation& simulation, const Options& options);

  /// Continues in a folder for which archive() was called, and removes later records.
  /// @throws InputError if the rows of steps.csv have changed since
  RunDirectory(OutputFolder folder, const Simulation& simulation, const Options& options,
               Archive& kept);
  /// Makes all records durable and serialises their number.
  void archive(Archive& a);

  /// Writes config.yaml, which shows that a run has begun. Call it after all other files that a
  /// continuation needs.
  /// @param config_yaml  the resolved scenario
  void write_configuration(const std::string& config_yaml) const;
  /// Writes config_env0003.yaml: environment 3 of a batch as a separate scenario.
  void write_environment(int env, const std::string& config_yaml) const;
  /// Writes a row of steps.csv and, if one is due, a frame. Call it for every step of every
  /// environment.
  void record(const StepView& view);
  /// True if record() will read the state of an environment at the end of a step.
  bool takes_frame(int env, int step) const {
    return trajectories_.count(env) > 0 && step % options_.every_steps == 0;
  }
  /// Closes the trajectories and steps.csv.
  /// @param go_on  see TrajectoryWriter::finish()
  /// @return false if a trajectory stays in parts
  bool close(const std::function<bool()>& go_on = {});
  /// Trajectories after close(), or the parts of those that stay in parts.
  std::vector<RecordedFile> trajectories() const;
  /// Size and checksum of the rows of steps.csv.
  const BytesSum& steps_sum() const { return steps_.sum(); }
  /// Writes summary.json. Call it last.
  void write_summary(const std::string& summary_json) const;

  const std::string& path() const { return folder_.path(); }

 private:
  struct Trajectory {
    FrameMaker maker;
    TrajectoryWriter writer;
  };

  void add(int env, const Simulation& simulation);
  std::vector<int> recorded(const Simulation& simulation) const;

  OutputFolder folder_;
  Options options_;
  StepsCsv steps_;
  std::map<int, Trajectory> trajectories_;  ///< by environment
};

}  // namespace nodia
