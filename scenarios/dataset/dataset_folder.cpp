#include "scenarios/dataset/dataset_folder.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <iterator>
#include <set>
#include <thread>

#include "host/io/build_id.hpp"
#include "host/io/claim.hpp"
#include "host/io/file.hpp"
#include "host/io/machine.hpp"
#include "host/io/sha256.hpp"
#include "host/problem/atomic_file.hpp"
#include "kernels/core/error.hpp"
#include "scenarios/build/document.hpp"
#include "scenarios/dataset/episode.hpp"
#include "scenarios/format/overrides.hpp"
#include "scenarios/format/writer.hpp"
#include "scenarios/task/action_log.hpp"
#include "scenarios/task/policy.hpp"

namespace nodia {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolders[] = {"assets", "blocks", "claims", "log"};

/// Throws InputError for errors that resampling cannot correct: in the scene, the task or a log.
void require_episodes(const Scenario& scenario) {
  TaskDescription task = *scenario.task;
  task.settle.reset();
  const TaskEnvironments environments({scenario.scene}, with_one_thread(scenario.solver), task);
  const Policy policy = parse_policy(task.policy);
  if (policy.kind == PolicyKind::log)
    read_action_log(policy.file, environments.action_space(), task.control_hz,
                    environments.actions_per_episode());
}

/// True if no bit of an episode depends on the key.
bool is_free(const std::string& key) {
  return within(key, "checks") || within(key, "output") || within(key, "solver.threads");
}

/// Removes the rules of keys on which no episode depends: they are not sampled.
void drop_free_rules(const ScenarioSource& source, std::vector<DrawRule>* rules) {
  for (const DrawRule& rule : *rules)
    if (!is_free(rule.key) && rule.same_as && is_free(*rule.same_as))
      source.refuse_rule(rule.key,
                         fmt::format("must be same_as a key that an episode depends on; {} is none",
                                     *rule.same_as));
  std::erase_if(*rules, [](const DrawRule& rule) { return is_free(rule.key); });
}

/// Throws InputError unless the folder is empty, or an earlier process was killed while it created
/// the dataset.
void require_free(const std::string& folder) {
  const std::set<std::string> own(std::begin(kFolders), std::end(kFolders));
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    // Another process may have just created the dataset.
    if (!own.contains(name) && name != "dataset.yaml" && !name.starts_with("dataset.yaml."))
      throw InputError(fmt::format(
          "{}: holds {} and no dataset.yaml (must be a dataset, empty or new)", folder, name));
  }
}

void write_assets(const std::string& folder, const std::map<std::string, std::string>& assets) {
  for (const auto& [name, bytes] : assets) {
    const std::string path = fmt::format("{}/{}/{}", folder, kAssetFolder, name);
    std::error_code ignored;
    if (fs::exists(path, ignored)) continue;
    replace_file(path, bytes, own_temporary(path));
  }
}

void require_same_request(const std::string& folder, const DatasetRequest& was,
                          const DatasetRequest& is) {
  const RequestDifference difference = difference_of(was, is);
  if (difference.key.empty()) return;
  throw InputError(
      fmt::format("{}: {} = {} is asked for, and {} in the folder (must be the "
                  "request that it began with; another needs another folder)",
                  folder, difference.key, difference.is, difference.was));
}

void require_same_build(const std::string& folder, const DatasetRequest& was,
                        const DatasetRequest& is) {
  const auto refuse = [&](const char* what, const std::string& before, const std::string& now) {
    throw InputError(
        fmt::format("{}: begun with {} '{}', this is '{}' (must be the same for the "
                    "same bits; --other-build continues, and every block names its "
                    "build)",
                    folder, what, before, now));
  };
  if (was.build != is.build) refuse("build", was.build, is.build);
  if (was.cpu_family != is.cpu_family) refuse("CPU family", was.cpu_family, is.cpu_family);
}

/// Claims the right to write the request, or waits until another process has written it.
/// @return empty if another process wrote it
std::optional<Claim> claim_request(const std::string& folder) {
  for (;;) {
    if (std::optional<Claim> claim = Claim::take(folder + "/claims/request")) return claim;
    if (fs::exists(request_path(folder))) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace

std::string request_path(const std::string& folder) {
  return folder + "/dataset.yaml";
}

std::string absolute_folder(const std::string& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).string();
}

AskedDataset asked_dataset(ScenarioSource& source, int episodes, int block) {
  ScenarioDocument document = source.document();
  if (!document.task)
    throw InputError("task is missing (must be in a scenario that a dataset is made of)");
  source.require_one_task();
  AskedDataset asked;
  asked.scenario = source.nominal();
  require_episodes(asked.scenario);
  DatasetRequest& request = asked.request;
  request.seed = document.seed.value_or(0);
  request.episodes = episodes;
  request.block = block;
  request.build = build_id();
  request.cpu_family = cpu_family();
  // Remove everything on which no episode depends.
  drop_free_rules(source, &document.randomize);
  document.seed.reset();
  document.episode.reset();
  document.attempt.reset();
  document.environments = 1;
  document.solver.execution.threads = ExecutionOptions{}.threads;
  document.checks.clear();
  document.output = {};
  const Assets assets(&document);
  asked.assets = assets.files();
  for (const auto& [name, bytes] : asked.assets) request.assets.push_back(name);
  request.scenario = Writer::written(document);
  return asked;
}

DatasetRequest read_dataset(const std::string& folder) {
  const std::string path = request_path(folder);
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) throw InputError(fmt::format("{}: no such folder", folder));
  if (!fs::is_regular_file(path, ignored))
    throw InputError(fmt::format("{}: no dataset (it has no dataset.yaml)", folder));
  const std::string text = bytes_of_file(path);
  DatasetRequest request = read_request(text, path, absolute_folder(folder));
  if (written(request) != text)
    throw InputError(
        fmt::format("{}: damaged, or changed by hand (its text is not that of a "
                    "request)",
                    path));
  return request;
}

DatasetRequest open_dataset(const std::string& folder, const AskedDataset& asked,
                            OtherBuild other_build) {
  if (!fs::exists(request_path(folder))) {
    require_free(folder);
    make_folder(folder);
    for (const char* name : kFolders) make_folder(fmt::format("{}/{}", folder, name));
    const std::optional<Claim> claim = claim_request(folder);
    if (claim && !fs::exists(request_path(folder))) {
      write_assets(folder, asked.assets);
      const std::string path = request_path(folder);
      replace_file(path, written(asked.request), own_temporary(path));
    }
  }
  DatasetRequest request = read_dataset(folder);
  require_same_request(folder, request, asked.request);
  if (other_build == OtherBuild::refuse) require_same_build(folder, request, asked.request);
  if (const std::string damage = asset_damage(folder, request); !damage.empty())
    throw InputError(damage);
  for (const char* name : kFolders) make_folder(fmt::format("{}/{}", folder, name));
  return request;
}

std::string asset_damage(const std::string& folder, const DatasetRequest& request) {
  for (const std::string& name : request.assets) {
    const std::string path = fmt::format("{}/{}/{}", folder, kAssetFolder, name);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return fmt::format("{}: missing", path);
    if (!name.starts_with(sha256_of_file(path)))
      return fmt::format("{}: damaged (its sum is not its name)", path);
  }
  return "";
}

}  // namespace nodia
