#include "host/io/checkpoint_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "host/io/archive.hpp"
#include "host/io/build_id.hpp"
#include "host/io/checksum.hpp"
#include "host/io/file.hpp"
#include "host/io/shallow_cbor.hpp"
#include "host/problem/atomic_file.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kTitle = "nodia checkpoint 1\n";
constexpr const char* kEnvironments = "environments";

Json json_of(const ArchivedBytes& values) {
  Json all = Json::object();
  for (const auto& [name, bytes] : values)
    all[name] = Json::binary_t(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
  return all;
}

/// @throws nlohmann's exceptions
ArchivedBytes values_of(const Json& json) {
  ArchivedBytes values;
  for (const auto& [name, value] : json.items()) {
    const std::vector<std::uint8_t>& bytes = value.get_binary();
    values[name].assign(bytes.begin(), bytes.end());
  }
  return values;
}

[[noreturn]] void refuse(const std::string& source, const std::string& why) {
  throw InputError(fmt::format("{}: {}", source, why));
}

std::string checksum_line(std::string_view bytes) {
  return shown_checksum(checksum_of(bytes)) + "\n";
}

/// Bytes after title and checksum.
std::string_view body_of(std::string_view bytes, const std::string& source) {
  if (bytes.substr(0, kTitle.size()) != kTitle)
    refuse(source, "is no checkpoint (must begin with 'nodia checkpoint 1')");
  bytes.remove_prefix(kTitle.size());
  const std::size_t n_line = checksum_line("").size();
  if (bytes.size() < n_line || checksum_line(bytes.substr(n_line)) != bytes.substr(0, n_line))
    refuse(source, "is damaged (its checksum is not that of its bytes; take an earlier one)");
  bytes.remove_prefix(n_line);
  return bytes;
}

Json parsed(std::string_view body, const std::string& source) {
  if (!is_shallow_cbor(body)) refuse(source, "is no whole checkpoint (its CBOR is not nodia's)");
  return Json::from_cbor(body.begin(), body.end());
}

}  // namespace

std::string checkpoint_bytes(const CheckpointFile& file) {
  std::vector<Checkpoint> environments = file.environments;
  ArchivedBytes values;
  Archive archive = Archive::writing(&values);
  archive(kEnvironments, environments);
  const Json json = {
      {"build", build_id()}, {kEnvironments, json_of(values)}, {"run", json_of(file.run)}};
  std::string body;
  Json::to_cbor(json, body);
  return std::string(kTitle) + checksum_line(body) + body;
}

CheckpointFile checkpoint_from_bytes(std::string_view bytes, const std::string& source) {
  bytes = body_of(bytes, source);
  CheckpointFile file;
  try {
    const Json json = parsed(bytes, source);
    const std::string build = json.at("build").get<std::string>();
    if (build != build_id())
      refuse(source, fmt::format("is of another build, '{}' (must be of this one, '{}': only there "
                                 "the bits go on)",
                                 build, build_id()));
    const ArchivedBytes values = values_of(json.at(kEnvironments));
    Archive archive = Archive::reading(values);
    archive(kEnvironments, file.environments);
    file.run = values_of(json.at("run"));
  } catch (const Json::exception& error) {
    refuse(source, fmt::format("is no whole checkpoint ({})", error.what()));
  }
  return file;
}

void write_checkpoint(const std::string& path, const CheckpointFile& file) {
  replace_file(path, checkpoint_bytes(file));
}

CheckpointFile read_checkpoint(const std::string& path) {
  return checkpoint_from_bytes(bytes_of_file(path), path);
}

ArchivedBytes run_of_checkpoint(const std::string& path) {
  const std::string bytes = bytes_of_file(path);
  try {
    return values_of(parsed(body_of(bytes, path), path).at("run"));
  } catch (const Json::exception& error) {
    refuse(path, fmt::format("is no whole checkpoint ({})", error.what()));
  }
}

void require_whole_checkpoint(const std::string& path) {
  body_of(bytes_of_file(path), path);
}

}  // namespace nodia
