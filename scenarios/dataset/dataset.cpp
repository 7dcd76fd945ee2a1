#include "scenarios/dataset/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "host/io/sha256.hpp"
#include "scenarios/dataset/dataset_folder.hpp"

namespace nodia {

namespace fs = std::filesystem;

DatasetCounts count_episodes(const std::string& folder, const DatasetRequest& request) {
  DatasetCounts counts;
  std::set<std::string> builds;
  for (int number = 0; number < request.n_block(); ++number) {
    if (!has_block(folder, number)) {
      counts.missing.push_back(number);
      continue;
    }
    const BlockEntry block = read_own_block_entry(folder, request, number);
    builds.insert(block.build);
    counts.n_unnamed += block.request_sha256.empty() ? 1 : 0;
    for (const EpisodeEntry& episode : block.episodes) {
      ++counts.n_episode;
      counts.n_step += episode.steps;
      counts.n_success += episode.success ? 1 : 0;
      if (episode.attempt > 0 && counts.n_redrawn++ == 0 && !episode.rejected.empty())
        counts.first_redrawn = {episode.episode, episode.rejected.front()};
      counts.n_unconverged += episode.n_unconverged;
      if (episode.cause.empty()) continue;
      ++counts.n_quarantined;
      ++counts.causes[episode.cause];
      counts.first_of_cause.try_emplace(episode.cause,
                                        EpisodeReason{episode.episode, episode.cause_text});
    }
  }
  counts.builds.assign(builds.begin(), builds.end());
  return counts;
}

std::optional<std::string> content_sha256(const std::string& folder,
                                          const DatasetRequest& request) {
  Sha256 sum;
  sum.add("nodia_dataset 1\n" + sha256_of(written(request)) + "\n");
  for (int number = 0; number < request.n_block(); ++number) {
    if (!has_block(folder, number)) return std::nullopt;
    for (const EpisodeEntry& episode : read_own_block_entry(folder, request, number).episodes)
      sum.add(episode.sha256 + "\n");
  }
  return sum.hex();
}

namespace {

/// True if all blocks name the same request and dataset.yaml is another request.
bool is_changed_request(const std::string& folder, const DatasetRequest& request) {
  std::set<std::string> named;
  for (int number = 0; number < request.n_block(); ++number) {
    if (!has_block(folder, number)) continue;
    try {
      named.insert(read_block_entry(folder, request, number).request_sha256);
    } catch (const InputError&) {
      return false;  // the block has a fault of its own
    }
  }
  return named.size() == 1 && !named.begin()->empty() && *named.begin() != sha256_of(request);
}

}  // namespace

std::vector<std::string> dataset_damage(const std::string& folder, const DatasetRequest& request) {
  if (is_changed_request(folder, request))
    return {fmt::format(
        "{}: is not the request that the blocks name (it was changed after they were made; put the "
        "old file back, or generate into another folder)",
        request_path(folder))};
  std::vector<std::string> damage;
  if (const std::string asset = asset_damage(folder, request); !asset.empty())
    damage.push_back(asset + "; put the file back");
  for (int number = 0; number < request.n_block(); ++number) {
    if (!has_block(folder, number)) continue;
    const std::string block = block_damage(folder, request, number);
    if (!block.empty())
      damage.push_back(fmt::format("{}; remove {}, and generate again makes the block again", block,
                                   block_path(folder, number, ".json")));
  }
  return damage;
}

std::optional<double> episodes_per_hour(const std::string& folder) {
  std::vector<std::pair<double, double>> spans;
  double n_episode = 0;
  std::error_code error;
  for (fs::directory_iterator entry(folder + "/log", error), end; !error && entry != end;
       entry.increment(error)) {
    std::ifstream log(entry->path());
    for (std::string line; std::getline(log, line);) {
      const auto json = nlohmann::json::parse(line, nullptr, false);
      if (!json.is_object() || !json.contains("began_s") || !json.contains("ended_s") ||
          !json.contains("episodes"))
        continue;  // incomplete: the process was killed while it wrote the line
      spans.emplace_back(json["began_s"], json["ended_s"]);
      n_episode += json["episodes"].get<double>();
    }
  }
  std::sort(spans.begin(), spans.end());
  double busy_s = 0, until_s = 0;
  for (const auto& [began_s, ended_s] : spans) {
    busy_s += std::max(0.0, ended_s - std::max(began_s, until_s));
    until_s = std::max(until_s, ended_s);
  }
  if (busy_s <= 0) return std::nullopt;
  return 3600 * n_episode / busy_s;
}

}  // namespace nodia
