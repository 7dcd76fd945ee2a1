/// What a dataset was asked to be: dataset.yaml.
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
  int episodes = 0;                 ///< >= 1
  int block = 8;                    ///< episodes of a block, >= 1
  std::string build;                ///< build_id() of who asked first
  std::string cpu_family;           ///< nodia::cpu_family() of its machine
  std::vector<std::string> assets;  ///< their names, ascending
  /// The scenario with overrides, all defaults and what is left to be drawn; its files are assets.
  YamlNode scenario;

  int n_block() const { return (episodes + block - 1) / block; }
  /// Episodes of a block: [first, end).
  int first(int number) const { return number * block; }
  int end(int number) const { return std::min(episodes, first(number) + block); }
};

/// The canonical text of dataset.yaml.
std::string written(const DatasetRequest& request);

/// SHA-256 of the text of dataset.yaml, by which each block names its request.
std::string sha256_of(const DatasetRequest& request);

/// @param label      how messages name the text
/// @param directory  where it lies, from which its assets start
/// @throws InputError for what is no request of this version
DatasetRequest read_request(const std::string& text, const std::string& label,
                            const std::string& directory);

/// The first key, dotted, that two requests have different values of; build and cpu_family apart.
struct RequestDifference {
  std::string key;
  std::string was, is;  ///< `nothing` where the key is missing
};
/// @return no key where they are equal
RequestDifference difference_of(const DatasetRequest& was, const DatasetRequest& is);

}  // namespace nodia
