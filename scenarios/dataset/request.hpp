/// Request of a dataset: everything that decides its content, stored in dataset.yaml.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/build/scenario.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

inline constexpr int kDatasetVersion = 1;
inline constexpr int kMostEpisodes = 1'000'000;
inline constexpr int kMostBlockEpisodes = 100'000;

struct DatasetRequest {
  std::uint64_t seed = 0;
  int episodes = 0;                 ///< number of episodes, >= 1
  int block = 8;                    ///< number of episodes of a block, >= 1
  std::string build;                ///< build_id() of the program that created the dataset
  std::string cpu_family;           ///< nodia::cpu_family() of the machine that created it
  std::vector<std::string> assets;  ///< names of the assets, ascending
  /// The scenario with overrides, all defaults and its ranges. Its paths name assets.
  YamlNode scenario;

  int n_block() const { return (episodes + block - 1) / block; }
  /// Block `number` has the episodes [first, end).
  int first(int number) const { return number * block; }
  int end(int number) const { return std::min(episodes, first(number) + block); }
};

/// Canonical text of dataset.yaml.
std::string written(const DatasetRequest& request);

/// SHA-256 of the text of dataset.yaml. Each block names its request by it.
std::string sha256_of(const DatasetRequest& request);

/// Reads the text of dataset.yaml.
/// @param label      name of the text in messages
/// @param directory  folder of the dataset; paths of assets are relative to it
/// @throws InputError if the text is not a request of this version
DatasetRequest read_request(const std::string& text, const std::string& label,
                            const std::string& directory);

/// First key in which two requests differ. build and cpu_family are not compared.
struct RequestDifference {
  std::string key;      ///< dotted; empty if the requests are equal
  std::string was, is;  ///< values; `nothing` if the key is missing
};
RequestDifference difference_of(const DatasetRequest& was, const DatasetRequest& is);

}  // namespace nodia
