/// The two files of a block of episodes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "host/io/array_file.hpp"
#include "scenarios/dataset/request.hpp"
#include "scenarios/task/task.hpp"

namespace nodia {

inline constexpr int kBlockVersion = 2;  ///< version 1 has no request_sha256

/// Path of a file of block `number`, such as FOLDER/blocks/000012.h5.
/// @param extension  `.h5` or `.json`
std::string block_path(const std::string& folder, int number, const std::string& extension);

/// Content of a block's HDF5 file: its attributes and its episodes.
/// @param request_sha256  sha256_of() the request
/// @param episodes        by episode_name()
ArrayFile block_file(const TaskDescription& task, const std::string& request_sha256, int number,
                     std::map<std::string, ArrayGroup> episodes);

/// Text of the block's JSON file. Its last key, `entry_sha256`, is the checksum of the same text
/// without this key.
/// @param file_sha256, n_byte  checksum and size [bytes] of the block's HDF5 file
/// @param build, cpu_family    build and CPU family that generated the block
std::string block_json(const ArrayFile& block, const std::string& file_sha256, std::size_t n_byte,
                       const std::string& build, const std::string& cpu_family);

/// Writes both files, the JSON file last. The block exists when the JSON file has its final name.
/// @throws RuntimeError if writing fails; the block does not exist then
void publish_block(const std::string& folder, int number, const ArrayFile& block,
                   RecordCompression compression);

/// Description of an episode in a block's JSON file.
struct EpisodeEntry {
  std::int64_t episode = 0, attempt = 0, steps = 0, failed_step = -1;
  bool success = false;
  std::string status, cause, cause_text, sha256;
  std::vector<std::string> rejected;  ///< reasons of the rejected starts
  int n_unconverged = 0;              ///< control steps with a time step that did not converge
};

/// Content of a block's JSON file.
struct BlockEntry {
  std::string text;                       ///< text of the file
  std::string sha256, build, cpu_family;  ///< sha256: checksum of the block's HDF5 file
  std::string request_sha256;             ///< empty in blocks of format version 1
  std::size_t n_byte = 0;                 ///< size of the HDF5 file [bytes]
  std::vector<EpisodeEntry> episodes;
};

/// True if both files of the block exist.
bool has_block(const std::string& folder, int number);

/// Reads the block's JSON file. The block may name another request.
/// @throws InputError if the file is not a JSON file of this block
BlockEntry read_block_entry(const std::string& folder, const DatasetRequest& request, int number);

/// Reads the block's JSON file and compares the request that it names.
/// @throws InputError like read_block_entry(), and if the block names another request
BlockEntry read_own_block_entry(const std::string& folder, const DatasetRequest& request,
                                int number);

/// Describes the first fault of the block's files; empty if every checksum is correct.
std::string block_damage(const std::string& folder, const DatasetRequest& request, int number);

}  // namespace nodia
