/// The folder of a dataset: creates, opens and reads its request and its assets.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenarios/dataset/assets.hpp"
#include "scenarios/dataset/request.hpp"

namespace nodia {

/// A request of the user, with the files that it needs.
struct AskedDataset {
  DatasetRequest request;
  Scenario scenario;                          ///< with the values in the file, nothing sampled
  std::map<std::string, std::string> assets;  ///< bytes of each asset by its name
};

/// Builds the request of a dataset from a scenario.
/// @param source    scenario with the command line's overrides; the dataset has its seed, or 0
/// @param episodes  number of episodes
/// @param block     number of episodes of a block
/// @throws InputError if the scenario has no task, cannot make an episode, or samples a value that
/// all episodes share, or if a file cannot be read
AskedDataset asked_dataset(ScenarioSource& source, int episodes, int block);

/// Whether a dataset that another build or CPU family began may be continued.
enum class OtherBuild { refuse, allow };

/// Path of dataset.yaml, relative if `folder` is.
std::string request_path(const std::string& folder);

/// Absolute, normalised path of the folder. Paths of assets begin with it.
std::string absolute_folder(const std::string& folder);

/// Reads the request of an existing dataset. @throws InputError if the folder is not a dataset
DatasetRequest read_dataset(const std::string& folder);

/// Creates the folder of a dataset, or opens an existing one and compares its request. Compares the
/// assets with their checksums.
/// @return the request in the folder
/// @throws InputError if the folder has another request (names the first key that differs), other
/// files, or a damaged asset; RuntimeError if writing fails
DatasetRequest open_dataset(const std::string& folder, const AskedDataset& asked,
                            OtherBuild other_build);

/// Message about the first asset that is missing or differs from the checksum in its name; empty if
/// there is none.
std::string asset_damage(const std::string& folder, const DatasetRequest& request);

}  // namespace nodia
