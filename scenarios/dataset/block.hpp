/// A block of episodes as its two files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "host/io/array_file.hpp"
#include "scenarios/dataset/request.hpp"
#include "scenarios/task/task.hpp"

namespace nodia {

inline constexpr int kBlockVersion = 1;

/// `blocks/000012` and `.h5` or `.json`, in the folder.
std::string block_path(const std::string& folder, int number, const std::string& extension);

/// The episodes of a block by their names, with the attributes of the file.
ArrayFile block_file(const TaskDescription& task, int number,
                     std::map<std::string, ArrayGroup> episodes);

/// What the block's JSON says; its last key is the sum of all before it. @param file, n_byte  sum
/// and size of its HDF5 file
/// @param build, cpu_family  that made it
std::string block_json(const ArrayFile& block, const std::string& file_sha256, std::size_t n_byte,
                       const std::string& build, const std::string& cpu_family);

/// Brings both files to the disk, the JSON last. Until it has its name the block is not there.
/// @throws RuntimeError where the disk refuses; nothing has its name then
void publish_block(const std::string& folder, int number, const ArrayFile& block,
                   RecordCompression compression);

/// Of an episode in a block's JSON.
struct EpisodeEntry {
  std::int64_t episode = 0, attempt = 0, steps = 0, failed_step = -1;
  bool success = false;
  std::string status, cause, cause_text, sha256;
  std::vector<std::string> refused;  ///< why starts before this one were
  int n_unconverged = 0;
};

/// What a block's JSON says.
struct BlockEntry {
  std::string text;  ///< all of it
  std::string sha256, build, cpu_family;
  std::size_t n_byte = 0;
  std::vector<EpisodeEntry> episodes;
};

/// Whether the block counts.
bool has_block(const std::string& folder, int number);
/// @throws InputError for what is no JSON of this block
BlockEntry read_block_entry(const std::string& folder, const DatasetRequest& request, int number);

/// Why the block is not what it was made as, in words; empty where every sum is right.
std::string block_damage(const std::string& folder, const DatasetRequest& request, int number);

}  // namespace nodia
