/// Options and files of a verb's output: --overwrite.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "host/io/output_folder.hpp"

namespace nodia::cli {

/// The flag --overwrite of a verb that writes a folder or files.
struct OverwriteFlag {
  bool overwrite = false;

  /// @param replaced  text of the help: what the flag replaces
  void declare(CLI::App& app, const std::string& replaced);

  /// Opens and locks the folder. If another folder is used instead, a line on stderr names it.
  /// @param inputs  files that the verb reads
  /// @throws InputError, RuntimeError like OutputFolder
  OutputFolder open_folder(const std::string& path, const std::vector<OutputFile>& files,
                           const std::vector<std::string>& inputs = {}) const;

  /// Checks that the verb may write a file that the user has named.
  /// @param option  option that names it, for messages
  /// @throws InputError if the file exists and --overwrite is not given, or if it is not a regular
  ///         file
  void require_writable(const std::string& option, const std::string& path) const;
};

/// During its lifetime, the watching thread calls OutputFolder::leave() before it ends the process
/// (see interrupt.hpp).
class LeftByInterrupts {
 public:
  /// @param folder  may be null
  explicit LeftByInterrupts(OutputFolder* folder);
  ~LeftByInterrupts();
  LeftByInterrupts(const LeftByInterrupts&) = delete;
  LeftByInterrupts& operator=(const LeftByInterrupts&) = delete;
};

/// Help of --overwrite for a study.
inline constexpr const char* kReplacesStudy =
    "replace nodia's tables and plots in DIR. Without this option new ones are written to DIR-2, "
    "DIR-3, ...";

/// Files of a study, for OutputFolder: NAME.csv, NAME.png with a mark of nodia, and NAME.json.
/// @param names        regular expression of the names without extension
/// @param csv_begin    beginning of the CSV files
/// @param json_format  value of `format` in the JSON files; empty: none
std::vector<OutputFile> study_files(const std::string& names, const std::string& csv_begin,
                                    const std::string& json_format = "");

}  // namespace nodia::cli
