/// Where a verb leaves its files: --overwrite, and what is said of it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "host/io/output_folder.hpp"

namespace nodia::cli {

/// --overwrite of a verb that writes a folder or files.
struct OverwriteFlag {
  bool overwrite = false;

  /// @param replaced  what it replaces, for the help
  void declare(CLI::App& app, const std::string& replaced);

  /// The folder, locked; where it is not the one that was asked for, says so on stderr in one line.
  /// @param inputs  files that the verb reads
  /// @throws InputError, RuntimeError as OutputFolder
  OutputFolder open_folder(const std::string& path, const std::vector<OutputFile>& files,
                           const std::vector<std::string>& inputs = {}) const;

  /// A file that the person has named.
  /// @param option  that names it, for messages
  /// @throws InputError where there is one that --overwrite does not allow to replace, or that is
  /// no regular file
  void require_writable(const std::string& option, const std::string& path) const;
};

/// As long as it lives, an interrupt that ends the process in the place of the work leaves the
/// folder.
class LeftByInterrupts {
 public:
  /// @param folder  may be null
  explicit LeftByInterrupts(OutputFolder* folder);
  ~LeftByInterrupts();
  LeftByInterrupts(const LeftByInterrupts&) = delete;
  LeftByInterrupts& operator=(const LeftByInterrupts&) = delete;
};

/// Of --overwrite of a study.
inline constexpr const char* kReplacesStudy =
    "replace nodia's tables and plots in DIR. Without this option new ones are written to DIR-2, "
    "DIR-3, ...";

/// Tables, objects and pictures of a study: NAME.csv that begins so, NAME.json of the format,
/// pictures that a module of nodia has marked.
/// @param names  regular expression of the names without extension
std::vector<OutputFile> study_files(const std::string& names, const std::string& csv_begin,
                                    const std::string& json_format = "");

}  // namespace nodia::cli
