#include "host/io/run_directory.hpp"

#include <fmt/format.h>

#include "host/io/file.hpp"
#include "host/io/run_files.hpp"
#include "host/problem/atomic_file.hpp"
#include "kernels/core/error.hpp"

namespace nodia {

RunDirectory::RunDirectory(OutputFolder folder, const std::string& config_yaml,
                           const Simulation& simulation, const Options& options)
    : folder_(std::move(folder)),
      options_(options),
      steps_(path() + "/steps.csv", simulation.scene(), options.contact_columns) {
  require(options.every_steps >= 1, "output.every_steps", options.every_steps, ">= 1", "try 1");
  replace_file(path() + "/config.yaml", stamped_configuration(config_yaml));
  const auto add = [&](int env) {
    TrajectoryWriter writer(path() + "/" + trajectory_name(env, simulation.n_env()),
                            recorded_topology(simulation.scene(env)), options.part_frames);
    FrameMaker maker(simulation.scene(env), simulation.model(env));
    writer.append(maker.frame_of(simulation.state(env), simulation.layout(env),
                                 {simulation.link_poses(env), simulation.obstacle_poses(env),
                                  simulation.attachment_poses(env)}));
    trajectories_.emplace(env, Trajectory{maker, std::move(writer)});
  };
  if (options.recorded) {
    for (const int env : *options.recorded) add(env);
  } else {
    for (int env = 0; env < simulation.n_env(); ++env) add(env);
  }
}

/// Made durable by close(), with the trajectory.
void RunDirectory::write_environment(int env, const std::string& config_yaml) const {
  write_file(fmt::format("{}/config_env{:04}.yaml", path(), env),
             stamped_configuration(config_yaml));
}

void RunDirectory::record(const StepView& view) {
  steps_.append(view);
  const auto trajectory = trajectories_.find(view.record.env);
  const bool is_number = view.record.solve.status != SolveStatus::not_a_number;
  if (trajectory != trajectories_.end() && is_number &&
      view.record.step % options_.every_steps == 0)
    trajectory->second.writer.append(trajectory->second.maker.frame_of(view));
}

bool RunDirectory::close(const std::function<bool()>& go_on) {
  steps_.sync();
  bool whole = true;
  if (trajectories_.size() == 1) return trajectories_.begin()->second.writer.finish(go_on);
  const auto publish = [&] {
    sync_folder(path(), Sync::contents);  // once for all of them
    for (auto& [env, trajectory] : trajectories_) trajectory.writer.publish();
    sync_folder(path(), Sync::names);
  };
  try {
    for (auto& [env, trajectory] : trajectories_) whole &= trajectory.writer.prepare(go_on);
  } catch (...) {
    publish();  // those that are whole
    throw;
  }
  publish();
  return whole;
}

std::vector<RecordedFile> RunDirectory::trajectories() const {
  std::vector<RecordedFile> files;
  for (const auto& [env, trajectory] : trajectories_)
    for (const auto& [name, n_frame] : trajectory.writer.files()) files.push_back({name, n_frame});
  return files;
}

void RunDirectory::write_summary(const std::string& summary_json) const {
  replace_file(path() + "/summary.json", summary_json);
}

}  // namespace nodia
