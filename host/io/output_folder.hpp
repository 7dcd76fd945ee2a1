/// The folder that a command leaves its results in: chosen so that nothing is lost, and locked.
#pragma once

#include <functional>
#include <regex>
#include <string>
#include <vector>

namespace nodia {

/// Files that a command leaves in its folder.
struct OutputFile {
  std::regex name;                                   ///< of the whole file name
  std::function<bool(const std::string& path)> own;  ///< the command wrote it, by its content
};

/// The first bytes of a file, at most so many; none where it cannot be read.
std::string first_bytes(const std::string& path, std::size_t count);
/// `own` of files that begin with a text.
std::function<bool(const std::string& path)> begins_with(std::string text);
/// `own` of files with a text in their first 4096 bytes.
std::function<bool(const std::string& path)> has_early(std::string text);

enum class Existing {
  keep,     ///< results that are there stay: the folder is another, PATH-2, PATH-3, ...
  replace,  ///< they are removed, where the command wrote them
  go_on,    ///< they are what the command goes on from: all stay
};

/// Holds the lock of a folder, the file `nodia.lock` with the process's number, as long as it
/// lives. A lock file that a killed process left is no obstacle.
///
/// In the folder there is then no file under a name of `files`. With Existing::keep no file is
/// touched, whoever wrote it: a folder that holds one, or that another process has locked, is left
/// for the next number. With Existing::replace those files are removed, but never one that is no
/// regular file (a symbolic link), that the command did not write, or that is an input. With
/// Existing::go_on none is removed either.
class OutputFolder {
 public:
  /// Makes the folder, its parents too.
  /// @param inputs  files that are read: never removed
  /// @throws InputError where a file is in the way, or where `replace` may not: the folder is
  /// locked or holds such a file. RuntimeError where the disk refuses
  OutputFolder(const std::string& path, const std::vector<OutputFile>& files, Existing existing,
               const std::vector<std::string>& inputs = {});
  /// Removes the lock, and the folder and its parents if it made them and they are still empty.
  ~OutputFolder();
  OutputFolder(OutputFolder&& other) noexcept;
  /// What the destructor does, for a process that ends without it.
  void leave();
  OutputFolder& operator=(OutputFolder&&) = delete;

  const std::string& path() const { return path_; }
  /// Why it is not the folder that was asked for; empty where it is.
  const std::string& moved_because() const { return moved_because_; }

 private:
  bool lock();
  void unlock();

  std::string path_, moved_because_;
  int lock_ = -1;
  std::vector<std::string> made_;  ///< folders that this object made, parents after children
};

}  // namespace nodia
