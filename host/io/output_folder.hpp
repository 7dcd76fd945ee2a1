/// Chooses and locks the folder for the results of a command, so that no file is lost.
#pragma once

#include <functional>
#include <regex>
#include <string>
#include <vector>

namespace nodia {

/// A kind of file that a command writes to its folder.
struct OutputFile {
  std::regex name;  ///< for the complete file name
  std::function<bool(const std::string& path)>
      own;  ///< true if the command wrote the file, according to its contents
};

/// The first bytes of a file, at most `count`; empty if it cannot be read.
std::string first_bytes(const std::string& path, std::size_t count);
/// `own` for files that begin with a text.
std::function<bool(const std::string& path)> begins_with(std::string text);
/// `own` for files with a text in their first 4096 bytes.
std::function<bool(const std::string& path)> has_early(std::string text);

enum class Existing {
  keep,     ///< existing results stay: the folder is another one, PATH-2, PATH-3, ...
  replace,  ///< the command removes the results that it wrote
  go_on,    ///< the command continues from the results: all stay
};

/// Holds the lock of a folder while it exists: the file `nodia.lock` with the number of the
/// process. A lock file of a killed process has no effect.
///
/// The folder then contains no file with a name of `files`. Existing::keep changes no file: if the
/// folder contains such a file, whichever program wrote it, or another process has locked it, the
/// next number is used. Existing::replace removes such files, but never a file that is not regular
/// (a symbolic link), that the command did not write, or that is an input. Existing::go_on removes
/// none.
class OutputFolder {
 public:
  /// Creates the folder and its parents.
  /// @param inputs  files that the command reads; never removed
  /// @throws InputError if a file has the folder's name, or `replace` is not possible: the folder
  /// is locked or contains a file that must stay. RuntimeError if the disk rejects a write
  OutputFolder(const std::string& path, const std::vector<OutputFile>& files, Existing existing,
               const std::vector<std::string>& inputs = {});
  /// Removes the lock; removes the folder and its parents if this object created them and they are
  /// empty.
  ~OutputFolder();
  OutputFolder(OutputFolder&& other) noexcept;
  /// Does the work of the destructor, for a process that ends without it.
  void leave();
  OutputFolder& operator=(OutputFolder&&) = delete;

  const std::string& path() const { return path_; }
  /// Reason why it is not the requested folder; empty if it is.
  const std::string& moved_because() const { return moved_because_; }

 private:
  bool lock();
  void unlock();

  std::string path_, moved_because_;
  int lock_ = -1;
  std::vector<std::string> made_;  ///< folders that this object created, parents after children
};

}  // namespace nodia
