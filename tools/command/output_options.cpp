#include "tools/command/output_options.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <filesystem>

#include "kernels/core/error.hpp"
#include "tools/command/interrupt.hpp"
#include "tools/command/verb.hpp"

namespace nodia::cli {

namespace fs = std::filesystem;

void OverwriteFlag::declare(CLI::App& app, const std::string& replaced) {
  app.add_flag("--overwrite", overwrite, replaced);
}

OutputFolder OverwriteFlag::open_folder(const std::string& path,
                                        const std::vector<OutputFile>& files,
                                        const std::vector<std::string>& inputs) const {
  OutputFolder folder(path, files, overwrite ? Existing::replace : Existing::keep, inputs);
  if (!folder.moved_because().empty())
    spdlog::info("{}: results go to {}", folder.moved_because(), folder.path());
  return folder;
}

LeftByInterrupts::LeftByInterrupts(OutputFolder* folder) {
  end_by([folder] {
    if (folder) folder->leave();
    return kInterrupted;
  });
}

LeftByInterrupts::~LeftByInterrupts() {
  end_by({});
}

void OverwriteFlag::require_writable(const std::string& option, const std::string& path) const {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(path, ignored);
  if (!fs::exists(status)) return;
  if (!fs::is_regular_file(status))
    throw InputError(
        fmt::format("{} {} (must be a new file; there is none to write to under this "
                    "name: no regular file)",
                    option, path));
  if (!overwrite)
    throw InputError(
        fmt::format("{} {} (must be a new file; --overwrite replaces it)", option, path));
}

std::vector<OutputFile> study_files(const std::string& names, const std::string& csv_begin,
                                    const std::string& json_format) {
  std::vector<OutputFile> files{
      {std::regex(names + "\\.csv"), begins_with(csv_begin)},
      {std::regex(names + "\\.png"), has_early("nodia")},
  };
  if (!json_format.empty())
    files.push_back(
        {std::regex(names + "\\.json"), has_early(fmt::format("\"format\": \"{}\"", json_format))});
  return files;
}

}  // namespace nodia::cli
