/// Checkpoints as bytes and as files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/io/archive.hpp"
#include "host/simulation/checkpoint.hpp"

namespace nodia {

/// Checkpoint of the environments of a simulation, in order.
struct CheckpointFile {
  std::vector<Checkpoint> environments;
  ArchivedBytes run;  ///< state of the caller of the simulation
};

/// A line that names the format, a line with a checksum of the rest, then CBOR with the build and
/// all numbers, bit by bit. For little-endian machines.
std::string checkpoint_bytes(const CheckpointFile& file);
/// @param source  name of the bytes in messages
/// @throws InputError if the bytes are no checkpoint, damaged, or of another build
CheckpointFile checkpoint_from_bytes(std::string_view bytes, const std::string& source);

/// Replaces the file at `path` in one step: after a crash it is the old file or the complete new
/// one.
/// @throws RuntimeError if writing fails
void write_checkpoint(const std::string& path, const CheckpointFile& file);
/// @throws InputError as checkpoint_from_bytes(), and if the file cannot be read
CheckpointFile read_checkpoint(const std::string& path);
/// CheckpointFile::run of a checkpoint, also of another build.
/// @throws InputError if the file is no complete checkpoint
ArchivedBytes run_of_checkpoint(const std::string& path);
/// @throws InputError if the file is no checkpoint, or damaged; another build is accepted
void require_whole_checkpoint(const std::string& path);

}  // namespace nodia
