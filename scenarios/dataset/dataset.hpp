/// What a dataset holds, and whether it is what it was made as.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/dataset/block.hpp"
#include "scenarios/dataset/request.hpp"

namespace nodia {

/// Why something happened in an episode.
struct EpisodeReason {
  std::int64_t episode = -1;
  std::string why;
};

/// Sums over the blocks that are there.
struct DatasetCounts {
  int n_episode = 0;
  std::int64_t n_step = 0;  ///< control steps
  int n_success = 0, n_quarantined = 0;
  int n_redrawn = 0;                  ///< episodes whose start was drawn more than once
  std::int64_t n_unconverged = 0;     ///< control steps with a time step that did not converge
  std::map<std::string, int> causes;  ///< of the quarantined ones
  std::map<std::string, EpisodeReason> first_of_cause;
  EpisodeReason first_redrawn;
  std::vector<int> missing;         ///< numbers of blocks
  int n_unnamed = 0;                ///< blocks of format version 1, which name no request
  std::vector<std::string> builds;  ///< of the blocks, each once, ascending

  bool complete() const { return missing.empty(); }
};

/// Counts the episodes in the JSON files of the blocks.
/// @throws InputError if one is damaged or names another request
DatasetCounts count_episodes(const std::string& folder, const DatasetRequest& request);

/// Over the request and all episodes in order (docs/datasets.md); nothing where blocks are missing.
std::optional<std::string> content_sha256(const std::string& folder, const DatasetRequest& request);

/// Reads all files of a dataset and compares every sum.
/// @return a line for each fault, with the cure
std::vector<std::string> dataset_damage(const std::string& folder, const DatasetRequest& request);

/// Episodes made over the time in which any process made some, by the logs; nothing without them.
std::optional<double> episodes_per_hour(const std::string& folder);

}  // namespace nodia
