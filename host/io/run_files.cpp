#include "host/io/run_files.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "host/io/checksum.hpp"

namespace nodia {
namespace {

constexpr std::string_view kStampBegin = "# as nodia run wrote it, checksum ";
constexpr const char* kHdf5Mark = "\x89HDF\r\n\x1a\n";

std::string stamp_of(std::string_view yaml) {
  return fmt::format("{}{}\n", kStampBegin, shown_checksum(checksum_of(yaml)));
}

bool is_trajectory(const std::string& path) {
  return begins_with(kHdf5Mark)(path) && has_early("VTKHDF")(path) && has_early("nodia")(path);
}

/// Recognises the beginning of a file that a kill left under its temporary name.
auto unfinished(const std::string& begin) {
  return [begin](const std::string& path) {
    const std::string start = first_bytes(path, begin.size());
    return start == begin.substr(0, start.size());
  };
}

}  // namespace

bool is_unchanged_configuration(const std::string& path) {
  const std::string start = first_bytes(path, kStampBegin.size());
  if (start != kStampBegin) return false;
  const std::string bytes = first_bytes(path, std::filesystem::file_size(path));
  const std::size_t end = bytes.find('\n');
  return end != std::string::npos &&
         bytes.substr(0, end + 1) == stamp_of(std::string_view(bytes).substr(end + 1));
}

bool is_run_file(const std::string& name) {
  for (const OutputFile& file : run_files())
    if (std::regex_match(name, file.name)) return true;
  return false;
}

const std::vector<OutputFile>& run_files() {
  static const std::vector<OutputFile> files = {
      {std::regex(R"(config(_env\d{4,})?\.yaml)"), is_unchanged_configuration},
      {std::regex(R"(config(_env\d{4,})?\.yaml\.tmp)"), unfinished(std::string(kStampBegin))},
      {std::regex(R"(trajectory(_env\d{4,})?(\.part\d{4,})?\.vtkhdf)"), is_trajectory},
      {std::regex(R"(trajectory(_env\d{4,})?(\.part\d{4,})?\.vtkhdf\.tmp)"), unfinished(kHdf5Mark)},
      {std::regex(R"(steps\.csv)"), unfinished("env,step,time_s,")},
      {std::regex(R"(checkpoint\.nodia(\.tmp)?)"), begins_with("nodia checkpoint ")},
      {std::regex(R"(summary\.json)"), has_early("\"format\": \"nodia_summary\"")},
      {std::regex(R"(summary\.json\.tmp)"), unfinished("{\n  \"format\": \"nodia_summary\"")},
  };
  return files;
}

bool is_unbegun_run(const std::string& folder) {
  static const std::regex early(
      R"(steps\.csv|checkpoint\.nodia(\.tmp)?|config(_env\d{4,})?\.yaml\.tmp|config_env\d{4,}\.yaml|)"
      R"(trajectory(_env\d{4,})?\.part\d{4,}\.vtkhdf(\.tmp)?)");
  bool any = false;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!is_run_file(name)) continue;
    if (!std::regex_match(name, early)) return false;
    any = true;
  }
  return any && !error;
}

bool has_ended(const std::string& folder) {
  std::ifstream file(folder + "/summary.json");
  const nlohmann::json summary = nlohmann::json::parse(file, nullptr, false);
  return summary.is_object() && !summary.value("interrupted", false);
}

std::string stamped_configuration(const std::string& yaml) {
  return stamp_of(yaml) + yaml;
}

}  // namespace nodia
