#include "host/backend/calibration_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "host/io/file.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/key.hpp"

namespace nodia {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "nodia_calibration";
constexpr int kFormatVersion = 1;
constexpr std::uintmax_t kMostBytes = 1 << 20;

/// Each part of a key: its name in the file, and what to call it where it is another's.
struct KeyPart {
  const char* name;
  std::string CalibrationKey::*value;
  const char* meaning;
};
constexpr KeyPart kKeyParts[] = {{"device", &CalibrationKey::device, "device"},
                                 {"software", &CalibrationKey::software, "driver or toolkit"},
                                 {"cpu", &CalibrationKey::cpu, "CPU"},
                                 {"build", &CalibrationKey::build, "build of nodia"}};

std::string absolute_path_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value && fs::path(value).is_absolute() ? value : "";
}

/// Words about a file's content, which may be anything: cut short, printable characters alone.
std::string shown(std::string words) {
  constexpr std::size_t kMost = 300;
  if (words.size() > kMost) words = words.substr(0, kMost) + "...";
  for (char& c : words)
    if (c < ' ' || c > '~') c = '?';
  return words;
}

/// What may stand in the name of a file, cut short.
std::string in_file_name(const std::string& text) {
  constexpr std::size_t kMost = 80;
  std::string name = text.substr(0, kMost);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

int count_in(const Json& point, const char* name) {
  const Json& value = point.at(name);
  const bool fits = value.is_number_integer() && value.get<double>() >= 1 &&
                    value.get<double>() <= std::numeric_limits<int>::max();
  if (!fits) throw_bad_value(name, value.dump(), "a whole number from 1 on", "");
  return value.get<int>();
}

double time_in(const Json& point, const char* name) {
  const Json& value = point.at(name);
  if (!value.is_number()) throw_bad_value(name, value.dump(), "a time in milliseconds", "");
  return value.get<double>();
}

CalibrationPoint point_of(const Json& p) {
  CalibrationPoint point;
  point.workload.loop = parse_word<LoopKind>(p.at("loop").get<std::string>(), "loop");
  point.workload.n_row = count_in(p, "n_row");
  point.workload.n_env = count_in(p, "n_env");
  point.workload.precision =
      parse_word<Precision>(p.at("precision").get<std::string>(), "precision");
  point.cpu = {time_in(p, "cpu_ms"), time_in(p, "cpu_brief_ms")};
  point.cuda = {time_in(p, "cuda_ms"), time_in(p, "cuda_brief_ms")};
  return point;
}

/// @throws InputError or Json::exception for what is no calibration of `key`
Calibration calibration_of(const std::string& text, const CalibrationKey& key) {
  const Json root = Json::parse(text);
  if (root.at("format") != kFormat || root.at("format_version") != kFormatVersion)
    throw InputError(fmt::format("it is not {} {}", kFormat, kFormatVersion));
  for (const KeyPart& part : kKeyParts)
    if (const auto found = root.at(part.name).get<std::string>(); found != key.*part.value)
      throw InputError(
          fmt::format("it is of another {}: {}, not {}", part.meaning, found, key.*part.value));
  Calibration calibration{key, {}};
  for (const Json& point : root.at("points")) calibration.points.push_back(point_of(point));
  calibration.validate();
  return calibration;
}

std::string text_of(const std::string& path) {
  if (!fs::is_regular_file(path)) throw InputError("it is not a regular file");
  if (fs::file_size(path) > kMostBytes)
    throw InputError(fmt::format("it is larger than {} bytes", kMostBytes));
  return bytes_of_file(path);
}

}  // namespace

std::string cache_folder() {
  if (const std::string cache = absolute_path_of("XDG_CACHE_HOME"); !cache.empty())
    return cache + "/nodia";
  const std::string home = absolute_path_of("HOME");
  return home.empty() ? "" : home + "/.cache/nodia";
}

std::string calibration_path(const CalibrationKey& key) {
  const std::string folder = cache_folder();
  if (folder.empty()) return "";
  return fmt::format("{}/calibration_{}_{}.json", folder, in_file_name(key.device),
                     in_file_name(key.cpu));
}

std::string calibration_json(const Calibration& calibration) {
  Json root{{"format", kFormat}, {"format_version", kFormatVersion}};
  for (const KeyPart& part : kKeyParts) root[part.name] = calibration.key.*part.value;
  root["points"] = Json::array();
  for (const CalibrationPoint& p : calibration.points)
    root["points"].push_back({{"loop", name_of(p.workload.loop)},
                              {"n_row", p.workload.n_row},
                              {"n_env", p.workload.n_env},
                              {"precision", name_of(p.workload.precision)},
                              {"cpu_ms", p.cpu.whole},
                              {"cpu_brief_ms", p.cpu.brief},
                              {"cuda_ms", p.cuda.whole},
                              {"cuda_brief_ms", p.cuda.brief}});
  return root.dump(2) + "\n";
}

void write_calibration(const std::string& path, const Calibration& calibration) {
  make_folder(fs::path(path).parent_path().string());
  const std::string unfinished = fmt::format("{}.{}", path, getpid());
  write_file(unfinished, calibration_json(calibration));
  try {
    publish_file(unfinished, path);
  } catch (const RuntimeError&) {
    unlink(unfinished.c_str());
    throw;
  }
}

FoundCalibration find_calibration(const CalibrationKey& key) {
  const std::string path = calibration_path(key);
  if (path.empty())
    return {{}, "no calibration: neither XDG_CACHE_HOME nor HOME is an absolute path"};
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error)))
    return {{}, "no calibration of this machine; nodia bench --calibrate makes one"};
  const auto ignored = [&](const char* reason) {
    return FoundCalibration{{},
                            fmt::format("{} is ignored: {} (nodia bench --calibrate makes it anew)",
                                        path, shown(reason))};
  };
  try {
    return {calibration_of(text_of(path), key), ""};
  } catch (const Json::exception& wrong) {
    return ignored(wrong.what());
  } catch (const InputError& wrong) {
    return ignored(wrong.what());
  } catch (const fs::filesystem_error& wrong) {
    return ignored(wrong.code().message().c_str());
  }
}

}  // namespace nodia
