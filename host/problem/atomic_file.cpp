/// Atomic replacement of a file.
#include "host/problem/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Owner of a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int fd() const { return fd_; }
  bool close() {
    const int fd = fd_;
    fd_ = -1;
    return fd < 0 || ::close(fd) == 0;
  }

 private:
  int fd_;
};

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

void replace_file(const std::string& path, std::string_view bytes) {
  replace_file(path, bytes, path + ".tmp");
}

void replace_file(const std::string& path, std::string_view bytes, const std::string& temporary) {
  const auto fail = [&](const char* what) {
    const std::string cause = std::strerror(errno);
    ::unlink(temporary.c_str());
    throw RuntimeError(fmt::format("{}: cannot {} ({})", path, what, cause));
  };
  Descriptor file(
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (file.fd() < 0) fail("create the file");
  if (!write_all(file.fd(), bytes)) fail("write");
  if (::fsync(file.fd()) != 0) fail("sync");
  if (!file.close()) fail("close");
  if (::rename(temporary.c_str(), path.c_str()) != 0) fail("rename");
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.fd() >= 0) ::fsync(directory.fd());
}

}  // namespace nodia
