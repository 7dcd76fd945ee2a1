/// What a run leaves behind: config.yaml, steps.csv, trajectory.vtkhdf (one per environment),
/// summary.json.
#pragma once

#include <string>
#include <vector>

#include "host/io/steps_csv.hpp"
#include "host/io/trajectory.hpp"

namespace nodia {

/// The files of one run while it lasts.
///
/// An earlier run in the same folder is replaced file by file: its trajectories and its summary are
/// removed at the start, other files in the folder are left alone. summary.json is written last:
/// where it is, the run ended in order.
class RunDirectory {
 public:
  struct Options {
    int every_steps = 1;   ///< a frame of the trajectory every so many steps, >= 1
    int part_frames = 50;  ///< frames in one part of the trajectory, >= 1
  };

  /// Makes the folder, writes config.yaml and keeps the initial states as the first frames.
  /// @param config_yaml  the resolved scenario
  /// @param simulation   must outlive this object
  /// @throws InputError where `path` is a file, RuntimeError where it cannot be written
  RunDirectory(const std::string& path, const std::string& config_yaml,
               const Simulation& simulation, const Options& options);

  /// A row of steps.csv and, where one is due, a frame. To be called for every step of every
  /// environment.
  void record(const StepView& view);
  /// Closes the trajectories and steps.csv.
  void close();
  /// To be called last.
  void write_summary(const std::string& summary_json) const;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  const Simulation& simulation_;
  Options options_;
  StepsCsv steps_;
  std::vector<TrajectoryWriter> trajectories_;  ///< [n_env]
};

}  // namespace nodia
