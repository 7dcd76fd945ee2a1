/// The folder of a dataset: its request and assets, and where its blocks are.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenarios/dataset/assets.hpp"
#include "scenarios/dataset/request.hpp"

namespace nodia {

/// What is asked for, with the files that it needs.
struct AskedDataset {
  DatasetRequest request;
  Scenario scenario;                          ///< nothing drawn
  std::map<std::string, std::string> assets;  ///< bytes by name
};

/// @param source  as the command line changed it; its seed, or 0, is the dataset's
/// @throws InputError for a scenario without a task, one that no episode can be made of, a policy
/// that is drawn, and a file that cannot be read
AskedDataset asked_dataset(ScenarioSource& source, int episodes, int block);

enum class OtherBuild { refuse, allow };

/// The request of a folder that is there. @throws InputError for a folder that is no dataset
DatasetRequest read_dataset(const std::string& folder);

/// Makes the folder what is asked for, or finds that it is: then its blocks are those of the
/// request. Assets that are there are compared with their sums.
/// @return the request as the folder has it
/// @throws InputError for a folder that holds another request (the first key that differs), other
/// things, or a damaged asset; RuntimeError where the disk refuses
DatasetRequest open_dataset(const std::string& folder, const AskedDataset& asked,
                            OtherBuild other_build);

/// Why an asset is not what its name says, in words; empty where all are.
std::string asset_damage(const std::string& folder, const DatasetRequest& request);

}  // namespace nodia
