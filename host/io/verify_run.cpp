#include "host/io/verify_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "host/io/checkpoint_file.hpp"
#include "host/io/file.hpp"
#include "host/io/run_files.hpp"
#include "host/io/summary_json.hpp"
#include "host/io/vtkhdf.hpp"
#include "host/problem/survives_in_child.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

namespace fs = std::filesystem;

/// Files that are not regular are never opened, because a pipe would block.
std::string reason_unreadable(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return "missing";
  if (!fs::is_regular_file(status)) return "no regular file";
  return std::ifstream(path) ? "" : "cannot be read";
}

/// Steps of every environment according to the summary.
using Steps = std::map<int, std::int64_t>;

class Verifier {
 public:
  explicit Verifier(fs::path folder) : folder_(std::move(folder)) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
      const std::string name = entry.path().filename().string();
      if (is_run_file(name)) names_.insert(name);
    }
    if (error || names_.empty())
      throw InputError(
          fmt::format("{}: holds no run (must be a folder of nodia run)", folder_.string()));
  }

  RunVerdict verdict() {
    check_configurations();
    check_summary();
    check_table();
    check_trajectories();
    check_checkpoint();
    for (const std::string& name : names_)
      if (name.ends_with(".tmp")) add(name, "unfinished");
    std::sort(verdict_.whole.begin(), verdict_.whole.end());
    return std::move(verdict_);
  }

 private:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// @param reason  empty: the file is complete
  void add(const std::string& name, const std::string& reason) {
    if (reason.empty())
      verdict_.whole.push_back(name);
    else
      verdict_.broken.push_back({name, reason});
  }

  void check_configurations() {
    names_.insert("config.yaml");
    for (const std::string& name : names_) {
      if (!name.starts_with("config") || name.ends_with(".tmp")) continue;
      std::string reason = reason_unreadable(path(name));
      if (reason.empty() && !is_unchanged_configuration(path(name)))
        reason = "its checksum does not match: damaged, or changed since the run";
      add(name, reason);
    }
  }

  void check_summary() {
    const std::string name = "summary.json";
    std::string reason = reason_unreadable(path(name));
    if (reason == "missing") reason = "missing: the run was killed, or is at work";
    if (reason.empty()) try {
        const std::string text = bytes_of_file(path(name));
        const nlohmann::json summary = nlohmann::json::parse(text);
        if (summary.at("format") != "nodia_summary") throw InputError("no summary of a run");
        check_sums(summary, text);
        for (const nlohmann::json& env : summary.at("environments"))
          steps_[env.at("env").get<int>()] = env.at("steps").get<std::int64_t>();
        for (const nlohmann::json& file_of : summary.value("trajectories", nlohmann::json::array()))
          frames_[file_of.at("file").get<std::string>()] = file_of.at("frames").get<std::int64_t>();
        has_summary_ = true;
      } catch (const std::exception& error) {
        reason = fmt::format("damaged ({})", error.what());
      }
    add(name, reason);
  }

  /// Checks the checksum of the summary itself; reads the sum of steps.csv from it.
  void check_sums(const nlohmann::json& summary, const std::string& text) {
    const int version = summary.at("format_version");
    if (version < 1 || version > kSummaryVersion)
      throw InputError(
          fmt::format("format_version = {} (must be 1 to {})", version, kSummaryVersion));
    const bool names_checksum = text.find("checksum") != std::string::npos;
    if (version == 1 && !names_checksum) {
      verdict_.note =
          "summary.json has format version 1, without checksums: changed values in it and in "
          "steps.csv are not noticed";
      return;
    }
    if (!has_own_checksum(text))
      throw InputError("its checksum does not match: damaged, or changed since the run");
    const nlohmann::json& of_steps = summary.at("steps_csv");
    steps_sum_ = {of_steps.at("bytes"), of_steps.at("checksum")};
  }

  void check_table() {
    const std::string name = "steps.csv";
    std::string reason = reason_unreadable(path(name));
    if (reason.empty()) reason = table_damage();
    if (reason.empty()) reason = sum_damage(path(name));
    add(name, reason);
  }

  /// Compares steps.csv with the sum in the summary, or without one with the sum in the checkpoint,
  /// which covers the rows up to the checkpoint.
  std::string sum_damage(const std::string& path_of_table) {
    const char* source = "summary.json";
    std::optional<TableSum> expected = steps_sum_;
    if (!has_summary_ && names_.contains(kCheckpointName)) try {
        BytesSum kept;
        const ArchivedBytes run = run_of_checkpoint(path(kCheckpointName));
        Archive::reading(run)(kStepsSum, kept);
        expected = {kept.n_byte, shown_checksum(kept.checksum)};
        source = kCheckpointName;
      } catch (const InputError&) {
        return "";  // another message reports the checkpoint
      }
    if (!expected) return "";
    const BytesSum found =
        has_summary_ ? sum_of_file(path_of_table) : sum_of_file(path_of_table, expected->n_byte);
    if (found.n_byte == expected->n_byte && shown_checksum(found.checksum) == expected->checksum)
      return "";
    return fmt::format("its checksum is not that in {}: damaged, or changed since the run", source);
  }

  std::string table_damage() {
    std::ifstream file(path("steps.csv"));
    std::string line;
    if (!std::getline(file, line) || !line.starts_with("env,step,time_s,"))
      return "does not begin with the names of its columns";
    const auto n_comma = std::count(line.begin(), line.end(), ',');
    std::map<int, std::int64_t> last;
    for (std::int64_t row = 1; std::getline(file, line); ++row) {
      if (file.eof()) return fmt::format("cut in row {}", row);
      int env = 0;
      std::int64_t step = 0;
      const char* const end = line.data() + line.size();
      const auto first = std::from_chars(line.data(), end, env);
      const bool numbered = first.ec == std::errc{} && first.ptr != end &&
                            std::from_chars(first.ptr + 1, end, step).ec == std::errc{};
      if (!numbered || std::count(line.begin(), line.end(), ',') != n_comma)
        return fmt::format("row {} is damaged", row);
      if (step != ++last[env])
        return fmt::format("row {}: step {} of environment {} (must be {})", row, step, env,
                           last[env]);
      ++verdict_.n_row;
    }
    if (has_summary_)
      for (const auto& [env, steps] : steps_)
        if (last[env] != steps)
          return fmt::format("{} steps of environment {}, summary.json says {}", last[env], env,
                             steps);
    return "";
  }

  void check_trajectories() {
    for (const auto& [name, frames] : frames_) names_.insert(name);
    for (const std::string& name : names_) {
      if (!name.starts_with("trajectory") || name.ends_with(".tmp")) continue;
      std::int64_t n_frame = 0;
      std::string reason = reason_unreadable(path(name));
      if (reason.empty()) reason = trajectory_damage(path(name), &n_frame);
      const auto told = frames_.find(name);
      if (reason.empty() && told != frames_.end() && told->second != n_frame)
        reason = fmt::format("{} frames, summary.json says {}", n_frame, told->second);
      if (reason.empty()) verdict_.n_frame += n_frame;
      add(name, reason);
    }
  }

  void check_checkpoint() {
    if (names_.count(kCheckpointName) == 0) return;
    std::string reason = reason_unreadable(path(kCheckpointName));
    if (reason.empty()) try {
        require_whole_checkpoint(path(kCheckpointName));
      } catch (const InputError& error) {
        reason = error.what();
      }
    add(kCheckpointName, reason);
  }

  fs::path folder_;
  std::set<std::string> names_;
  RunVerdict verdict_;
  bool has_summary_ = false;
  struct TableSum {
    std::int64_t n_byte = 0;
    std::string checksum;
  };
  std::optional<TableSum> steps_sum_;  ///< sum of steps.csv according to the summary
  Steps steps_;
  std::map<std::string, std::int64_t>
      frames_;  ///< frames of every trajectory according to the summary
};

}  // namespace

RunVerdict verify_run(const std::string& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw InputError(fmt::format("{}: {} (must be the folder of a run)", folder,
                                 fs::exists(folder, ignored) ? "a file" : "no such folder"));
  return Verifier(folder).verdict();
}

std::string trajectory_damage(const std::string& path, std::int64_t* n_frame) {
  const std::optional<std::string> answer = answer_of_child([&]() -> std::string {
    try {
      return fmt::format("{}", VtkhdfReader(path).read_everything());
    } catch (const std::exception& error) {
      return fmt::format("-{}", error.what());
    }
  });
  if (!answer) return "damaged (HDF5 crashes on it)";
  if (answer->starts_with('-')) {
    const std::string begin = path + ": ";
    const std::string reason = answer->substr(1);
    return "damaged (" + (reason.starts_with(begin) ? reason.substr(begin.size()) : reason) + ")";
  }
  *n_frame = 0;
  std::from_chars(answer->data(), answer->data() + answer->size(), *n_frame);
  return "";
}

}  // namespace nodia
