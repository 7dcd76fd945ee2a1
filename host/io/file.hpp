/// Files for crash-safe output. Every failed write is a RuntimeError that names the file and the
/// cause.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "host/io/checksum.hpp"

namespace nodia {

/// A text file that grows by whole lines. After a kill, all its lines are complete; after a failed
/// write (disk full), the incomplete line is removed.
class LineFile {
 public:
  /// Creates the file. @throws RuntimeError if this fails or the file exists
  explicit LineFile(std::string path);
  /// Continues a file after its first bytes, and removes the others.
  /// @throws RuntimeError if the file is missing; InputError if its first bytes have another sum
  LineFile(std::string path, const BytesSum& first);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  /// @param line  without a line end
  void append(std::string line);
  /// Makes the lines durable (fsync).
  void sync();
  const BytesSum& sum() const { return sum_; }

 private:
  std::string path_;
  int descriptor_ = -1;
  BytesSum sum_;  ///< sum of the complete lines
};

/// Syncs `from`, renames it to `to` and syncs the folder. After a crash `to` is either the old file
/// or the complete new one.
void publish_file(const std::string& from, const std::string& to);

/// Renames `from` to `to` atomically.
void rename_file(const std::string& from, const std::string& to);

/// Makes a folder durable: the names in it; with `contents` also the bytes of all files of its
/// disk.
enum class Sync { names, contents };
void sync_folder(const std::string& path, Sync what);

/// Writes a new text file, which is not durable yet.
void write_file(const std::string& path, std::string_view text);

/// Size and checksum of the first bytes of a file, at most `n_byte`.
/// @throws InputError if the file cannot be read
BytesSum sum_of_file(const std::string& path,
                     std::int64_t n_byte = std::numeric_limits<std::int64_t>::max());

/// Contents of a file. @throws InputError if it cannot be read
std::string bytes_of_file(const std::string& path);

/// Creates `path` and checks that `n_byte` fit on its disk (including quota and file size limit),
/// so that a full disk is detected before a library writes. The file remains empty.
void check_room(const std::string& path, std::int64_t n_byte);

/// Creates the folder `path` and its parents. @throws InputError if a file has the name,
/// RuntimeError if the folder cannot be created
void make_folder(const std::string& path);

}  // namespace nodia
