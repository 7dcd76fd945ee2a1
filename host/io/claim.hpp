/// Distributes work among several processes on several machines, by locks in a shared folder.
#pragma once

#include <optional>
#include <string>

namespace nodia {

/// `HOST-PROCESS` of this process.
std::string process_name();

/// File name in the folder of `path` to which no other process writes.
std::string own_temporary(const std::string& path);

/// Removes files that processes of this machine created under own_temporary(path). The caller must
/// be the only process of this machine that works on `path`.
void remove_left_temporaries(const std::string& path);

/// Exclusive right to a piece of work while the object exists: no other process on this machine has
/// it, nor on a machine whose file system shares locks. If the file system has no locks, every
/// process gets it. The result of the work must therefore not depend on the process.
class Claim {
 public:
  /// @param path  file to lock; it is created, and removed with the claim
  /// @return nothing if another process has the claim
  /// @throws RuntimeError if the file cannot be created
  static std::optional<Claim> take(const std::string& path);
  Claim(Claim&& other) noexcept;
  Claim& operator=(Claim&&) = delete;
  ~Claim();

  /// True if the file system has locks.
  bool locked() const { return locked_; }

 private:
  Claim(std::string path, int descriptor, bool locked);

  std::string path_;
  int descriptor_;
  bool locked_;
};

}  // namespace nodia
