/// What a run leaves behind: config.yaml, steps.csv, trajectory.vtkhdf, summary.json; of a batch
/// the trajectory and the configuration of every recorded environment.
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

/// The files of one run while it lasts.
///
/// Its folder is locked as long as it lives, and held nothing under a name of run_files().
/// summary.json is written last: where it is, the run ended in order.
class RunDirectory {
 public:
  struct Options {
    int every_steps = 1;   ///< a frame of the trajectory every so many steps, >= 1
    int part_frames = 50;  ///< frames in one part of the trajectory, >= 1
    std::optional<std::vector<int>> recorded = {};  ///< environments with a trajectory; absent: all
    ContactGroups contact_columns = ContactGroups::automatic;  ///< of steps.csv
  };

  /// Begins the files of a run. The initial states are the first frames.
  /// @param folder      made with run_files()
  /// @param simulation  must outlive this object
  /// @throws RuntimeError if a file cannot be written
  RunDirectory(OutputFolder folder, const Simulation& simulation, const Options& options);

  /// Continues in a folder that archive() was called for, and removes what was recorded after that.
  /// @throws InputError if the rows of steps.csv were changed since
  RunDirectory(OutputFolder folder, const Simulation& simulation, const Options& options,
               Archive& kept);
  /// Brings everything that was recorded to the disk, and says what there is.
  void archive(Archive& a);

  /// Writes config.yaml, which shows that a run has begun: to be called when every other file is
  /// there that a continuation needs.
  /// @param config_yaml  the resolved scenario
  void write_configuration(const std::string& config_yaml) const;
  /// Writes config_env0003.yaml: environment 3 of a batch as a scenario of its own.
  void write_environment(int env, const std::string& config_yaml) const;
  /// A row of steps.csv and, where one is due, a frame. To be called for every step of every
  /// environment.
  void record(const StepView& view);
  /// Whether record() will ask for the state of an environment at the end of a step.
  bool takes_frame(int env, int step) const {
    return trajectories_.count(env) > 0 && step % options_.every_steps == 0;
  }
  /// Closes the trajectories and steps.csv.
  /// @param go_on  as in TrajectoryWriter::finish()
  /// @return false where a trajectory stayed in parts
  bool close(const std::function<bool()>& go_on = {});
  /// After close(): the trajectories, or the parts of those that stayed in parts.
  std::vector<RecordedFile> trajectories() const;
  /// Size and checksum of the rows of steps.csv.
  const BytesSum& steps_sum() const { return steps_.sum(); }
  /// To be called last.
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
