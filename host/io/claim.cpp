#include "host/io/claim.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

namespace fs = std::filesystem;

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0 || name.front() == '\0') return "host";
  std::string text = name.data();
  for (char& c : text)
    if (c == '/' || c == '-') c = '_';
  return text;
}

}  // namespace

std::string process_name() {
  static const std::string host = host_name();
  return fmt::format("{}-{}", host, getpid());
}

std::string own_temporary(const std::string& path) {
  return fmt::format("{}.{}.tmp", path, process_name());
}

void remove_left_temporaries(const std::string& path) {
  const std::string begin = fmt::format("{}.{}-", fs::path(path).filename().string(), host_name());
  std::error_code error;
  for (fs::directory_iterator entry(fs::path(path).parent_path(), error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    if (name.starts_with(begin) && name.ends_with(".tmp")) fs::remove(entry->path(), ignored);
  }
}

std::optional<Claim> Claim::take(const std::string& path) {
  for (;;) {
    const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0)
      throw RuntimeError(fmt::format("{}: cannot create ({})", path, std::strerror(errno)));
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) return Claim(path, descriptor, false);
      close(descriptor);
      return std::nullopt;
    }
    struct stat opened {
    }, named_so{};
    if (fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named_so) == 0 &&
        opened.st_ino == named_so.st_ino)
      return Claim(path, descriptor, true);
    close(descriptor);  // its owner has just removed it
  }
}

Claim::Claim(std::string path, int descriptor, bool locked)
    : path_(std::move(path)), descriptor_(descriptor), locked_(locked) {}

Claim::Claim(Claim&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      locked_(other.locked_) {}

Claim::~Claim() {
  if (descriptor_ < 0) return;
  unlink(path_.c_str());
  close(descriptor_);
}

}  // namespace nodia
