#include "host/io/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

[[noreturn]] void fail(const std::string& path, const char* action, int error) {
  throw RuntimeError(fmt::format("{}: cannot {} ({})", path, action, std::strerror(error)));
}

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags)
      : value_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return value_; }

 private:
  int value_;
};

/// Returns 0, or the error number of the write that failed.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

void sync_path(const std::string& path, int flags) {
  const Descriptor file(path, flags);
  if (file < 0) fail(path, "open", errno);
  // A file system without sync for this kind of file returns EINVAL; nothing is pending then.
  if (fsync(file) != 0 && errno != EINVAL) fail(path, "sync", errno);
}

}  // namespace

LineFile::LineFile(std::string path) : path_(std::move(path)) {
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(path_, "create", errno);
}

LineFile::LineFile(std::string path, const BytesSum& first) : path_(std::move(path)), sum_(first) {
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail(path_, "open", errno);
  try {
    if (sum_of_file(path_, first.n_byte) != first)
      throw InputError(fmt::format(
          "{}: its first {} bytes are not those of the checkpoint (cut or changed since)", path_,
          first.n_byte));
    if (ftruncate(descriptor_, first.n_byte) != 0 || lseek(descriptor_, first.n_byte, SEEK_SET) < 0)
      fail(path_, "shorten", errno);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

LineFile::~LineFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void LineFile::append(std::string line) {
  line += '\n';
  if (const int error = write_all(descriptor_, line)) {
    if (ftruncate(descriptor_, sum_.n_byte) != 0)
      fail(path_, "write, nor take back an unfinished line,", error);
    fail(path_, "write", error);
  }
  sum_.add(line);
}

void LineFile::sync() {
  if (fsync(descriptor_) != 0 && errno != EINVAL) fail(path_, "sync", errno);
}

void publish_file(const std::string& from, const std::string& to) {
  sync_path(from, O_RDONLY);
  rename_file(from, to);
  const std::string folder = std::filesystem::path(to).parent_path().string();
  sync_path(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
}

void rename_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0)
    fail(to, "rename the finished file to this name", errno);
}

void sync_folder(const std::string& path, Sync what) {
  const Descriptor folder(path, O_RDONLY | O_DIRECTORY);
  if (folder < 0) fail(path, "open", errno);
  if (what == Sync::contents && syncfs(folder) != 0) fail(path, "sync", errno);
  if (fsync(folder) != 0 && errno != EINVAL) fail(path, "sync", errno);
}

void write_file(const std::string& path, std::string_view text) {
  const Descriptor file(path, O_WRONLY | O_CREAT | O_EXCL);
  if (file < 0) fail(path, "create", errno);
  if (const int error = write_all(file, text)) {
    unlink(path.c_str());
    fail(path, "write", error);
  }
}

BytesSum sum_of_file(const std::string& path, std::int64_t n_byte) {
  const Descriptor file(path, O_RDONLY);
  if (file < 0)
    throw InputError(fmt::format("{}: cannot be read ({})", path, std::strerror(errno)));
  BytesSum sum;
  std::vector<char> piece(1 << 16);
  while (sum.n_byte < n_byte) {
    const auto most = static_cast<std::size_t>(
        std::min<std::int64_t>(n_byte - sum.n_byte, static_cast<std::int64_t>(piece.size())));
    const ssize_t n = read(file, piece.data(), most);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw InputError(fmt::format("{}: cannot be read ({})", path, std::strerror(errno)));
    if (n == 0) break;
    sum.add({piece.data(), static_cast<std::size_t>(n)});
  }
  return sum;
}

std::string bytes_of_file(const std::string& path) {
  constexpr std::size_t kPiece = 1 << 16;
  const Descriptor file(path, O_RDONLY);
  const auto refuse = [&path](int error) {
    throw InputError(fmt::format("{}: cannot be read ({})", path, std::strerror(error)));
  };
  if (file < 0) refuse(errno);
  std::string bytes;
  for (ssize_t n = 1; n != 0;) {
    const std::size_t size = bytes.size();
    bytes.resize(size + std::max(kPiece, size));
    n = read(file, bytes.data() + size, bytes.size() - size);
    if (n < 0 && errno != EINTR) refuse(errno);
    bytes.resize(size + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  }
  return bytes;
}

void check_room(const std::string& path, std::int64_t n_byte) {
  const Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  if (file < 0) fail(path, "create", errno);
  int error = fallocate(file, 0, 0, n_byte) == 0 ? 0 : errno;
  if (error == EOPNOTSUPP || error == ENOSYS) error = 0;
  if (ftruncate(file, 0) != 0 && error == 0) error = errno;
  if (error != 0) {
    unlink(path.c_str());
    fail(path, fmt::format("write {:.1f} MB", 1e-6 * static_cast<double>(n_byte)).c_str(), error);
  }
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error && !std::filesystem::is_directory(path))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error == std::errc::not_a_directory || error == std::errc::file_exists)
    throw InputError(fmt::format(
        "{}: not a folder (a file with this name or a parent's name exists; choose another folder)",
        path));
  if (error)
    throw RuntimeError(fmt::format("{}: cannot make the folder ({})", path, error.message()));
}

}  // namespace nodia
