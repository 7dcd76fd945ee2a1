/// Work that several processes on several machines share, by the locks of a folder.
#pragma once

#include <optional>
#include <string>

namespace nodia {

/// `HOST-PROCESS` of this process.
std::string process_name();

/// A name in the folder of `path` that no other process writes to.
std::string own_temporary(const std::string& path);

/// Removes what processes of this machine left under own_temporary(path). To be called by who alone
/// works on `path` on this machine.
void remove_left_temporaries(const std::string& path);

/// The right to do a piece of work, as long as it lives. Who holds it is nobody else on the
/// machine, and on no machine whose file system shares locks. Where there are none it is given to
/// everybody: work must come out the same whoever does it.
class Claim {
 public:
  /// @param path  of the file that is locked; it is made, and removed with the claim
  /// @return nothing where another holds it
  /// @throws RuntimeError where the file cannot be made
  static std::optional<Claim> take(const std::string& path);
  Claim(Claim&& other) noexcept;
  Claim& operator=(Claim&&) = delete;
  ~Claim();

  /// Whether there was a lock to hold.
  bool locked() const { return locked_; }

 private:
  Claim(std::string path, int descriptor, bool locked);

  std::string path_;
  int descriptor_;
  bool locked_;
};

}  // namespace nodia
