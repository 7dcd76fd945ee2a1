/// Checkpoints as bytes and as files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/io/archive.hpp"
#include "host/simulation/checkpoint.hpp"

namespace nodia {

/// Of the environments of a simulation, in order.
struct CheckpointFile {
  std::vector<Checkpoint> environments;
  ArchivedBytes run;  ///< values that the program stores beside them
};

/// A line that names the format, one with a checksum of the rest, then CBOR with the build and all
/// numbers to the last bit. For the machine it was written on and its like (little-endian).
std::string checkpoint_bytes(const CheckpointFile& file);
/// @param source  names the bytes in messages
/// @throws InputError for what is no checkpoint, damaged, or of another build
CheckpointFile checkpoint_from_bytes(std::string_view bytes, const std::string& source);

/// At `path` lies the old file or the whole new one, whatever happens.
/// @throws RuntimeError where it cannot be written
void write_checkpoint(const std::string& path, const CheckpointFile& file);
/// @throws InputError as checkpoint_from_bytes, and where it cannot be read
CheckpointFile read_checkpoint(const std::string& path);
/// CheckpointFile::run of a checkpoint, which may be of another build.
/// @throws InputError if the file is no whole checkpoint
ArchivedBytes run_of_checkpoint(const std::string& path);
/// @throws InputError for a file that is no checkpoint, or damaged; its build may be another
void require_whole_checkpoint(const std::string& path);

}  // namespace nodia
