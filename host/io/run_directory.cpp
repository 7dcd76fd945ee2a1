#include "host/io/run_directory.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <regex>

#include "host/io/file.hpp"
#include "host/problem/atomic_file.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// An empty run directory, except for files that are not a run's.
std::string prepared(const std::string& path) {
  make_folder(path);
  remove_trajectories(path);
  static const std::regex configurations(R"(config_env\d{4,}\.yaml)");
  remove_files(path, configurations);
  std::error_code ignored;
  std::filesystem::remove(path + "/summary.json", ignored);
  return path;
}

}  // namespace

RunDirectory::RunDirectory(const std::string& path, const std::string& config_yaml,
                           const Simulation& simulation, const Options& options)
    : path_(prepared(path)),
      options_(options),
      steps_(path_ + "/steps.csv", simulation.scene(), options.contact_columns) {
  require(options.every_steps >= 1, "output.every_steps", options.every_steps, ">= 1", "try 1");
  replace_file(path_ + "/config.yaml", config_yaml);
  const auto add = [&](int env) {
    TrajectoryWriter writer(path_ + "/" + trajectory_name(env, simulation.n_env()),
                            recorded_topology(simulation.scene(env)), options.part_frames);
    FrameMaker maker(simulation.scene(env), simulation.model(env));
    writer.append(
        maker.frame_of(simulation.state(env), simulation.layout(env), simulation.link_poses(env)));
    trajectories_.emplace(env, Trajectory{maker, std::move(writer)});
  };
  if (options.recorded) {
    for (const int env : *options.recorded) add(env);
  } else {
    for (int env = 0; env < simulation.n_env(); ++env) add(env);
  }
}

void RunDirectory::write_environment(int env, const std::string& config_yaml) const {
  replace_file(fmt::format("{}/config_env{:04}.yaml", path_, env), config_yaml);
}

void RunDirectory::record(const StepView& view) {
  steps_.append(view);
  const auto trajectory = trajectories_.find(view.record.env);
  const bool is_number = view.record.solve.status != SolveStatus::not_a_number;
  if (trajectory != trajectories_.end() && is_number &&
      view.record.step % options_.every_steps == 0)
    trajectory->second.writer.append(trajectory->second.maker.frame_of(view));
}

void RunDirectory::close() {
  steps_.sync();
  for (auto& [env, trajectory] : trajectories_) trajectory.writer.finish();
}

void RunDirectory::write_summary(const std::string& summary_json) const {
  replace_file(path_ + "/summary.json", summary_json);
}

}  // namespace nodia
