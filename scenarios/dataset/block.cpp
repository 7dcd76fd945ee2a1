#include "scenarios/dataset/block.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "host/io/build_id.hpp"
#include "host/io/claim.hpp"
#include "host/io/file.hpp"
#include "host/io/machine.hpp"
#include "host/io/sha256.hpp"
#include "host/problem/atomic_file.hpp"
#include "kernels/core/error.hpp"
#include "scenarios/dataset/episode.hpp"
#include "scenarios/dataset/quality.hpp"

namespace nodia {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kBlockFormat = "nodia_block";
constexpr const char* kRequestSum = "request_sha256";

template <class T>
T attribute(const ArrayGroup& episode, const char* name) {
  return std::get<T>(episode.attributes.at(name));
}

/// JSON has no NaN and no infinity: they become null.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

std::vector<std::string> rejections_of(const ArrayGroup& episode) {
  if (episode.attributes.count("refused") == 0) return {};
  return attribute<std::vector<std::string>>(episode, "refused");
}

Json entry_of(const ArrayGroup& episode) {
  const WorstQuality worst = worst_quality(episode);
  return {{"episode", attribute<std::int64_t>(episode, "episode")},
          {"sha256", sha256_of(episode)},
          {"status", attribute<std::string>(episode, "status")},
          {"cause", attribute<std::string>(episode, "cause")},
          {"cause_text", attribute<std::string>(episode, "cause_text")},
          {"failed_step", attribute<std::int64_t>(episode, "failed_step")},
          {"success", attribute<std::int64_t>(episode, "success") == 1},
          {"steps", attribute<std::int64_t>(episode, "steps")},
          {"attempt", attribute<std::int64_t>(episode, "attempt")},
          {"refused", rejections_of(episode)},
          {"drawn", Json::parse(attribute<std::string>(episode, "drawn"))},
          {"worst",
           {{"unconverged_steps", worst.n_unconverged},
            {"relative_residual", number(worst.relative_residual)},
            {"natural_map_error", number(worst.natural_map_error)},
            {"certificate_J", number(worst.certificate_J)},
            {"penetration_m", number(worst.penetration_m)},
            {"force_balance_N", number(worst.force_balance_N)}}}};
}

}  // namespace

std::string block_path(const std::string& folder, int number, const std::string& extension) {
  return fmt::format("{}/blocks/{:06}{}", folder, number, extension);
}

ArrayFile block_file(const TaskDescription& task, const std::string& request_sha256, int number,
                     std::map<std::string, ArrayGroup> episodes) {
  ArrayFile file;
  file.groups = std::move(episodes);
  file.attributes = {
      {"format", std::string(kBlockFormat)}, {"format_version", std::int64_t{kBlockVersion}},
      {kRequestSum, request_sha256},         {"block", std::int64_t{number}},
      {"control_hz", task.control_hz},       {"task", task.text}};
  return file;
}

std::string block_json(const ArrayFile& block, const std::string& file_sha256, std::size_t n_byte,
                       const std::string& build, const std::string& cpu_family) {
  Json episodes = Json::array();
  for (const auto& [name, episode] : block.groups) episodes.push_back(entry_of(episode));
  Json json = {{"format", kBlockFormat},
               {"format_version", std::get<std::int64_t>(block.attributes.at("format_version"))},
               {"block", std::get<std::int64_t>(block.attributes.at("block"))}};
  if (const auto request = block.attributes.find(kRequestSum); request != block.attributes.end())
    json[kRequestSum] = std::get<std::string>(request->second);
  json.update({{"sha256", file_sha256},
               {"bytes", n_byte},
               {"build", build},
               {"cpu_family", cpu_family},
               {"episodes", std::move(episodes)}});
  const auto text = [&] { return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; };
  json["entry_sha256"] = sha256_of(text());
  return text();
}

void publish_block(const std::string& folder, int number, const ArrayFile& block,
                   RecordCompression compression) {
  const std::string bytes = hdf5_bytes(
      block, compression == RecordCompression::gzip ? Compression::gzip : Compression::none);
  const std::string json =
      block_json(block, sha256_of(bytes), bytes.size(), build_id(), cpu_family());
  for (const auto& [extension, content] : {std::pair{".h5", &bytes}, {".json", &json}}) {
    const std::string path = block_path(folder, number, extension);
    replace_file(path, *content, own_temporary(path));
  }
}

bool has_block(const std::string& folder, int number) {
  std::error_code ignored;
  return std::filesystem::exists(block_path(folder, number, ".json"), ignored) &&
         std::filesystem::exists(block_path(folder, number, ".h5"), ignored);
}

BlockEntry read_block_entry(const std::string& folder, const DatasetRequest& request, int number) {
  const std::string path = block_path(folder, number, ".json");
  BlockEntry entry;
  entry.text = bytes_of_file(path);
  try {
    const Json json = Json::parse(entry.text);
    if (json.at("format") != kBlockFormat || json.at("block") != number)
      throw InputError(fmt::format("{}: is not the file of this block", path));
    if (json.at("format_version") > kBlockVersion)
      throw InputError(fmt::format("{}: was written by a newer nodia", path));
    entry.request_sha256 = json.value(kRequestSum, "");
    if (entry.request_sha256.empty() && json.at("format_version") > 1)
      throw InputError(fmt::format("{}: damaged, {} is missing", path, kRequestSum));
    entry.sha256 = json.at("sha256");
    entry.build = json.at("build");
    entry.cpu_family = json.at("cpu_family");
    entry.n_byte = json.at("bytes");
    for (const Json& e : json.at("episodes"))
      entry.episodes.push_back({e.at("episode"), e.at("attempt"), e.at("steps"),
                                e.at("failed_step"), e.at("success"), e.at("status"), e.at("cause"),
                                e.at("cause_text"), e.at("sha256"), e.at("refused"),
                                e.at("worst").at("unconverged_steps")});
  } catch (const Json::exception&) {
    throw InputError(fmt::format("{}: damaged, incomplete or invalid JSON", path));
  }
  const auto n_expected = static_cast<std::size_t>(request.end(number) - request.first(number));
  if (entry.episodes.size() != n_expected)
    throw InputError(
        fmt::format("{}: has {} episodes (must be {})", path, entry.episodes.size(), n_expected));
  return entry;
}

BlockEntry read_own_block_entry(const std::string& folder, const DatasetRequest& request,
                                int number) {
  BlockEntry entry = read_block_entry(folder, request, number);
  const std::string own = sha256_of(request);
  if (!entry.request_sha256.empty() && entry.request_sha256 != own)
    throw InputError(fmt::format(
        "{}: {} = {:.12} (must be {:.12}, that of dataset.yaml: the block is of another "
        "dataset, or dataset.yaml was changed)",
        block_path(folder, number, ".json"), kRequestSum, entry.request_sha256, own));
  return entry;
}

std::string block_damage(const std::string& folder, const DatasetRequest& request, int number) {
  try {
    const BlockEntry entry = read_own_block_entry(folder, request, number);
    const std::string path = block_path(folder, number, ".h5");
    if (sha256_of_file(path) != entry.sha256)
      return fmt::format("{}: its sum is not that of {:06}.json", path, number);
    if (block_json(read_array_file(path), entry.sha256, entry.n_byte, entry.build,
                   entry.cpu_family) != entry.text)
      return fmt::format("{}: does not describe its block", block_path(folder, number, ".json"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace nodia
