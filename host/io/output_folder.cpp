#include "host/io/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "host/io/file.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockName = "/nodia.lock";

/// Files of a folder with one of the names, each with its entry of `files`; empty if there is no
/// folder.
std::vector<std::pair<fs::path, const OutputFile*>> present(const std::string& folder,
                                                            const std::vector<OutputFile>& files) {
  std::vector<std::pair<fs::path, const OutputFile*>> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    for (const OutputFile& file : files)
      if (std::regex_match(name, file.name)) {
        found.emplace_back(entry->path(), &file);
        break;
      }
  }
  if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
    throw RuntimeError(
        fmt::format("{}: cannot look into the folder ({})", folder, error.message()));
  std::sort(found.begin(), found.end());
  return found;
}

/// Reason why the file must stay; empty if it may be removed.
std::string reason_to_keep(const fs::path& path, const OutputFile& file,
                           const std::vector<std::string>& inputs) {
  std::error_code ignored;
  if (!fs::is_regular_file(fs::symlink_status(path, ignored))) return "no regular file";
  for (const std::string& input : inputs)
    if (fs::equivalent(path, input, ignored)) return "what this command reads";
  if (!file.own(path.string())) return "not written by this command, or changed since";
  return "";
}

void remove_own(const std::string& folder, const std::vector<OutputFile>& files,
                const std::vector<std::string>& inputs) {
  const auto found = present(folder, files);
  for (const auto& [path, file] : found) {
    const std::string reason = reason_to_keep(path, *file, inputs);
    if (!reason.empty())
      throw InputError(
          fmt::format("--overwrite: {} would be replaced, but is {} (move it away, or choose "
                      "another folder with --out)",
                      path.string(), reason));
  }
  for (const auto& [path, file] : found) {
    std::error_code error;
    fs::remove(path, error);
    if (error)
      throw RuntimeError(fmt::format("{}: cannot be removed ({})", path.string(), error.message()));
  }
}

/// Number of the process in a lock file, for messages; empty if there is none.
std::string owner_of(const std::string& folder) {
  std::ifstream file(folder + kLockName);
  int process = 0;
  return file >> process ? fmt::format(", process {}", process) : "";
}

/// Path of the folder without `.` and `/` at its end, so that a number can follow.
std::string named(const std::string& path) {
  fs::path folder = fs::path(path).lexically_normal();
  if (!folder.has_filename() && folder.has_parent_path() && folder != folder.root_path())
    folder = folder.parent_path();
  const std::string name = folder.filename().string();
  if (name.empty() || name == "." || name == "..") {
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(fs::absolute(path), error);
    if (!error) folder = whole.has_filename() ? whole : whole.parent_path();
  }
  return folder.string();
}

/// Folders of a path that do not exist, parents after children.
std::vector<std::string> missing_folders(const std::string& path) {
  std::vector<std::string> missing;
  std::error_code ignored;
  for (fs::path at = path; !at.empty() && !fs::exists(at, ignored); at = at.parent_path())
    missing.push_back(at.string());
  return missing;
}

}  // namespace

std::string first_bytes(const std::string& path, std::size_t count) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(count, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

std::function<bool(const std::string&)> begins_with(std::string text) {
  return [text = std::move(text)](const std::string& path) {
    return first_bytes(path, text.size()) == text;
  };
}

std::function<bool(const std::string&)> has_early(std::string text) {
  return [text = std::move(text)](const std::string& path) {
    return first_bytes(path, 4096).find(text) != std::string::npos;
  };
}

OutputFolder::OutputFolder(const std::string& path, const std::vector<OutputFile>& files,
                           Existing existing, const std::vector<std::string>& inputs)
    : path_(path) {
  constexpr int kMostFolders = 100'000;
  for (int number = 2;; ++number) {
    std::vector<std::string> missing = missing_folders(path_);
    std::string because;
    if (existing == Existing::keep) {
      const auto found = present(path_, files);
      if (!found.empty())
        because = fmt::format("holds {}", found.front().first.filename().string());
    }
    if (because.empty()) {
      make_folder(path_);
      made_ = std::move(missing);
      if (!lock()) {
        because = fmt::format("is in use{}", owner_of(path_));
      } else if (existing == Existing::keep && !present(path_, files).empty()) {
        because = "is in use";  // another process took it and has already finished
        unlock();
      }
    }
    if (because.empty()) break;
    if (existing != Existing::keep)
      throw InputError(fmt::format("{}: {} {} (wait for it, or choose another folder with --out)",
                                   existing == Existing::replace ? "--overwrite" : "--resume",
                                   path_, because));
    if (moved_because_.empty()) moved_because_ = fmt::format("{} {}", path, because);
    if (number > kMostFolders)
      throw RuntimeError(fmt::format("{}: all numbers up to {} are taken", path, kMostFolders));
    path_ = fmt::format("{}-{}", named(path), number);
  }
  if (existing == Existing::replace) try {
      remove_own(path_, files, inputs);
    } catch (...) {
      unlock();
      throw;
    }
}

OutputFolder::OutputFolder(OutputFolder&& other) noexcept
    : path_(std::move(other.path_)),
      moved_because_(std::move(other.moved_because_)),
      lock_(std::exchange(other.lock_, -1)),
      made_(std::exchange(other.made_, {})) {}

OutputFolder::~OutputFolder() {
  leave();
}

void OutputFolder::leave() {
  unlock();
  for (const std::string& folder : std::exchange(made_, {}))
    rmdir(folder.c_str());  // fails if the folder is not empty
}

/// @return false if another process has the lock
bool OutputFolder::lock() {
  const std::string path = path_ + kLockName;
  for (;;) {
    lock_ = open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (lock_ < 0)
      throw RuntimeError(fmt::format("{}: cannot create ({})", path, std::strerror(errno)));
    if (flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      close(std::exchange(lock_, -1));
      return false;
    }  // a file system without locks: every process may continue
    struct stat opened {
    }, named_so{};
    if (fstat(lock_, &opened) == 0 && ::stat(path.c_str(), &named_so) == 0 &&
        opened.st_ino == named_so.st_ino)
      break;
    close(std::exchange(lock_, -1));  // its owner has just removed it
  }
  const std::string process = fmt::format("{}\n", getpid());
  if (ftruncate(lock_, 0) != 0 ||
      pwrite(lock_, process.data(), process.size(), 0) != static_cast<ssize_t>(process.size())) {
    const std::string cause = std::strerror(errno);
    unlock();
    throw RuntimeError(fmt::format("{}: cannot write ({})", path, cause));
  }
  return true;
}

void OutputFolder::unlock() {
  if (lock_ < 0) return;
  unlink((path_ + kLockName).c_str());
  close(std::exchange(lock_, -1));
}

}  // namespace nodia
