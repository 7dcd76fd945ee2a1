#include "host/io/run_directory.hpp"

#include <filesystem>

#include "host/io/file.hpp"
#include "host/problem/atomic_file.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// An empty run directory, except for files that are not a run's.
std::string prepared(const std::string& path) {
  make_folder(path);
  remove_trajectories(path);
  std::error_code ignored;
  std::filesystem::remove(path + "/summary.json", ignored);
  return path;
}

}  // namespace

RunDirectory::RunDirectory(const std::string& path, const std::string& config_yaml,
                           const Simulation& simulation, const Options& options)
    : path_(prepared(path)),
      simulation_(simulation),
      options_(options),
      steps_(path_ + "/steps.csv") {
  require(options.every_steps >= 1, "output.every_steps", options.every_steps, ">= 1", "try 1");
  replace_file(path_ + "/config.yaml", config_yaml);
  for (int env = 0; env < simulation.n_env(); ++env) {
    trajectories_.emplace_back(path_ + "/" + trajectory_name(env, simulation.n_env()),
                               topology_of(simulation.scene(env)), options.part_frames);
    trajectories_.back().append(frame_of(simulation.state(env), simulation.model(env)));
  }
}

void RunDirectory::record(const StepView& view) {
  steps_.append(view.record);
  const int env = view.record.env;
  const bool is_number = view.record.solve.status != SolveStatus::not_a_number;
  if (is_number && view.record.step % options_.every_steps == 0)
    trajectories_[env].append(frame_of(view, simulation_.model(env)));
}

void RunDirectory::close() {
  steps_.sync();
  for (TrajectoryWriter& trajectory : trajectories_) trajectory.finish();
}

void RunDirectory::write_summary(const std::string& summary_json) const {
  replace_file(path_ + "/summary.json", summary_json);
}

}  // namespace nodia
