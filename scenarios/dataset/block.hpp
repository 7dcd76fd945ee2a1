/// A block of episodes as its two files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "host/io/array_file.hpp"
#include "scenarios/dataset/request.hpp"
#include "scenarios/task/task.hpp"

namespace nodia {

inline constexpr int kBlockVersion = 2;  ///< 1: blocks do not name their request

/// `blocks/000012` and `.h5` or `.json`, in the folder.
std::string block_path(const std::string& folder, int number, const std::string& extension);

/// The episodes of a block by their names, with the attributes of the file.
/// @param request_sha256  sha256_of() the request
ArrayFile block_file(const TaskDescription& task, const std::string& request_sha256, int number,
                     std::map<std::string, ArrayGroup> episodes);

/// The text of the block's JSON file. Its last key is the sum of all text before it.
/// @param file_sha256, n_byte  sum and size of the block's HDF5 file
/// @param build, cpu_family    of the program that made the block
std::string block_json(const ArrayFile& block, const std::string& file_sha256, std::size_t n_byte,
                       const std::string& build, const std::string& cpu_family);

/// Brings both files to the disk, the JSON last. Until it has its name the block is not there.
/// @throws RuntimeError where the disk refuses; nothing has its name then
void publish_block(const std::string& folder, int number, const ArrayFile& block,
                   RecordCompression compression);

/// Entry of an episode in a block's JSON file.
struct EpisodeEntry {
  std::int64_t episode = 0, attempt = 0, steps = 0, failed_step = -1;
  bool success = false;
  std::string status, cause, cause_text, sha256;
  std::vector<std::string> refused;  ///< why starts before this one were
  int n_unconverged = 0;
};

/// Content of a block's JSON file.
struct BlockEntry {
  std::string text;  ///< the whole file
  std::string sha256, build, cpu_family;
  std::string request_sha256;  ///< empty in blocks of format version 1
  std::size_t n_byte = 0;
  std::vector<EpisodeEntry> episodes;
};

/// Whether both files of the block exist.
bool has_block(const std::string& folder, int number);

/// Reads the block's JSON file, whichever request the block names.
/// @throws InputError if the file is no JSON file of this block
BlockEntry read_block_entry(const std::string& folder, const DatasetRequest& request, int number);

/// The same.
/// @throws InputError also if the block names another request
BlockEntry read_own_block_entry(const std::string& folder, const DatasetRequest& request,
                                int number);

/// Describes how the block differs from the block that was published; empty if every sum is right.
std::string block_damage(const std::string& folder, const DatasetRequest& request, int number);

}  // namespace nodia
