/// Files that survive: every failed call that writes is a RuntimeError that names the file and the
/// cause.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "host/io/checksum.hpp"

namespace nodia {

/// A text file that grows by whole lines. After a kill every line in it is complete; after a failed
/// write (disk full) the unfinished line is taken back.
class LineFile {
 public:
  /// Creates the file. @throws RuntimeError where that is impossible, or where it is there
  explicit LineFile(std::string path);
  /// Continues a file behind its first bytes, and removes the others.
  /// @throws RuntimeError if the file is missing, InputError if its first bytes have another sum
  LineFile(std::string path, const BytesSum& first);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  /// @param line  without its line end
  void append(std::string line);
  /// Makes the lines durable.
  void sync();
  const BytesSum& sum() const { return sum_; }

 private:
  std::string path_;
  int descriptor_ = -1;
  BytesSum sum_;  ///< of the complete lines
};

/// Syncs `from`, renames it to `to` and syncs the folder: afterwards `to` is either the old file or
/// the whole new one.
void publish_file(const std::string& from, const std::string& to);

/// Renames `from` to `to`, in one step.
void rename_file(const std::string& from, const std::string& to);

/// Makes a folder durable: the names in it, and with `contents` the bytes of all files of its disk.
enum class Sync { names, contents };
void sync_folder(const std::string& path, Sync what);

/// A new file of text, not durable yet.
void write_file(const std::string& path, std::string_view text);

/// Size and checksum of the first bytes of a file, at most `n_byte`.
/// @throws InputError if the file cannot be read
BytesSum sum_of_file(const std::string& path,
                     std::int64_t n_byte = std::numeric_limits<std::int64_t>::max());

/// All that is in a file. @throws InputError where it cannot be read
std::string bytes_of_file(const std::string& path);

/// Creates `path` and checks that `n_byte` fit on its disk (quota and file size limit included), so
/// that a full disk is known before a library writes. The file is left empty.
void check_room(const std::string& path, std::int64_t n_byte);

/// `path` as a folder, with its parents. @throws InputError where a file is in the way,
/// RuntimeError where it cannot be made
void make_folder(const std::string& path);

}  // namespace nodia
