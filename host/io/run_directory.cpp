#include "host/io/run_directory.hpp"

#include <fmt/format.h>

#include <numeric>

#include "host/io/file.hpp"
#include "host/io/run_files.hpp"
#include "host/problem/atomic_file.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

BytesSum kept_sum(Archive& kept) {
  BytesSum sum;
  kept(kStepsSum, sum);
  return sum;
}

}  // namespace

RunDirectory::RunDirectory(OutputFolder folder, const Simulation& simulation,
                           const Options& options)
    : folder_(std::move(folder)),
      options_(options),
      steps_(path() + "/steps.csv", simulation.scene(), options.contact_columns) {
  require(options.every_steps >= 1, "output.every_steps", options.every_steps, ">= 1", "try 1");
  for (const int env : recorded(simulation)) {
    add(env, simulation);
    Trajectory& trajectory = trajectories_.at(env);
    trajectory.writer.append(
        trajectory.maker.frame_of(simulation.state(env), simulation.layout(env),
                                  {simulation.link_poses(env), simulation.obstacle_poses(env),
                                   simulation.attachment_poses(env)}));
  }
}

RunDirectory::RunDirectory(OutputFolder folder, const Simulation& simulation,
                           const Options& options, Archive& kept)
    : folder_(std::move(folder)),
      options_(options),
      steps_(path() + "/steps.csv", simulation.scene(), options.contact_columns, kept_sum(kept)) {
  for (const int env : recorded(simulation)) {
    add(env, simulation);
    std::int64_t n_frame = 0;
    kept(fmt::format("frames_{}", env), n_frame);
    trajectories_.at(env).writer.go_on_from(n_frame);
  }
}

void RunDirectory::archive(Archive& a) {
  steps_.sync();
  BytesSum sum = steps_.sum();
  a(kStepsSum, sum);
  for (auto& [env, trajectory] : trajectories_) {
    std::int64_t n_frame = trajectory.writer.close_frames();
    a(fmt::format("frames_{}", env), n_frame);
  }
}

std::vector<int> RunDirectory::recorded(const Simulation& simulation) const {
  if (options_.recorded) return *options_.recorded;
  std::vector<int> all(static_cast<std::size_t>(simulation.n_env()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void RunDirectory::add(int env, const Simulation& simulation) {
  trajectories_.emplace(
      env,
      Trajectory{FrameMaker(simulation.scene(env), simulation.model(env)),
                 TrajectoryWriter(path() + "/" + trajectory_name(env, simulation.n_env()),
                                  recorded_topology(simulation.scene(env)), options_.part_frames)});
}

void RunDirectory::write_configuration(const std::string& config_yaml) const {
  replace_file(path() + "/config.yaml", stamped_configuration(config_yaml));
}

/// close() makes it durable, together with the trajectory.
void RunDirectory::write_environment(int env, const std::string& config_yaml) const {
  write_file(fmt::format("{}/config_env{:04}.yaml", path(), env),
             stamped_configuration(config_yaml));
}

void RunDirectory::record(const StepView& view) {
  steps_.append(view);
  const int env = view.record.env;
  const bool is_number = view.record.solve.status != SolveStatus::not_a_number;
  if (!is_number || !takes_frame(env, view.record.step)) return;
  Trajectory& trajectory = trajectories_.at(env);
  trajectory.writer.append(trajectory.maker.frame_of(view));
}

bool RunDirectory::close(const std::function<bool()>& go_on) {
  steps_.sync();
  bool whole = true;
  if (trajectories_.size() == 1) return trajectories_.begin()->second.writer.finish(go_on);
  const auto publish = [&] {
    sync_folder(path(), Sync::contents);  // once for all trajectories
    for (auto& [env, trajectory] : trajectories_) trajectory.writer.publish();
    sync_folder(path(), Sync::names);
  };
  try {
    for (auto& [env, trajectory] : trajectories_) whole &= trajectory.writer.prepare(go_on);
  } catch (...) {
    publish();  // publishes the complete ones
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
