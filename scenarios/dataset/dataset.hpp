/// Counts the episodes of a dataset and checks its files.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/dataset/block.hpp"
#include "scenarios/dataset/request.hpp"

namespace nodia {

/// Reason of a failure or of a rejected start, with the number of its episode.
struct EpisodeReason {
  std::int64_t episode = -1;
  std::string why;
};

/// Counts over the blocks that exist.
struct DatasetCounts {
  int n_episode = 0;
  std::int64_t n_step = 0;  ///< control steps
  int n_success = 0, n_quarantined = 0;
  int n_redrawn = 0;                  ///< episodes whose start was resampled
  std::int64_t n_unconverged = 0;     ///< control steps with a time step that did not converge
  std::map<std::string, int> causes;  ///< number of quarantined episodes by cause
  std::map<std::string, EpisodeReason> first_of_cause;
  EpisodeReason first_redrawn;
  std::vector<int> missing;         ///< numbers of the blocks that do not exist
  int n_unnamed = 0;                ///< blocks of format version 1, which name no request
  std::vector<std::string> builds;  ///< builds that generated the blocks, each once, ascending

  bool complete() const { return missing.empty(); }
};

/// Counts the episodes in the JSON files of the blocks.
/// @throws InputError if a JSON file is damaged or names another request
DatasetCounts count_episodes(const std::string& folder, const DatasetRequest& request);

/// Checksum of the request and of all episodes in order (docs/datasets.md, Checksums). Empty if
/// blocks are missing.
std::optional<std::string> content_sha256(const std::string& folder, const DatasetRequest& request);

/// Reads all files of a dataset and compares every checksum.
/// @return one line for each fault, with the repair
std::vector<std::string> dataset_damage(const std::string& folder, const DatasetRequest& request);

/// Episodes per hour of the time in which at least one process generated blocks [1/h], from the
/// logs. Empty without logs.
std::optional<double> episodes_per_hour(const std::string& folder);

}  // namespace nodia
