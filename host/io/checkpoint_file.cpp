#include "host/io/checkpoint_file.hpp"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <type_traits>

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

/// Visits the members of all parts of a checkpoint by name, for writing and reading.
template <class Archive>
void visit(Archive& a, Path& p) {
  a("keys", p.keys);
  a("profile", p.profile);
}
template <class Archive>
void visit(Archive& a, JointTarget& j) {
  a("keys", j.keys);
  a("profile", j.profile);
}
template <class Archive>
void visit(Archive& a, AttachmentFrameTarget& h) {
  a("path", h.path);
  int holds = h.holds ? *h.holds : -1;
  a("holds", holds);
  h.holds = holds < 0 ? std::optional<bool>() : holds != 0;
}
template <class Archive>
void visit(Archive& a, Targets::Robot& r) {
  a("joints", r.joints);
  a("poses", r.poses);
}
template <class Archive>
void visit(Archive& a, Targets& t) {
  a("robots", t.robots);
  a("obstacles", t.obstacles);
  a("mounts", t.mounts);
  a("attachments", t.attachments);
}
template <class Archive>
void visit(Archive& a, State& s) {
  a("x", s.x);
  a("frames", s.frames);
  a("q", s.q);
  a("v", s.v);
  a("time_s", s.time_s);
  a("step", s.step);
}
template <class Archive>
void visit(Archive& a, OverlapNotice& o) {
  a("i", o.i);
  a("j", o.j);
  a("depth_m", o.depth_m);
  a("share", o.share);
  a("at_start", o.at_start);
}
template <class Archive>
void visit(Archive& a, OverlapMemory& m) {
  a("told", m.told);
  a("at_start", m.at_start);
}
template <class Archive>
void visit(Archive& a, Checkpoint& c) {
  a("scene", c.scene);
  a("state", c.state);
  a("time_origin_s", c.time_origin_s);
  a("failed", c.failed);
  a("reason", c.reason);
  a("targets", c.targets);
  a("places", c.places);
  a("overlaps", c.overlaps);
  a("v_hat", c.v_hat);
  a("lambda_keys", c.lambda_keys);
  a("lambda", c.lambda);
  a("solver", c.solver);
}
template <class Archive>
void visit(Archive& a, CheckpointFile& f) {
  a("environments", f.environments);
  a("run", f.run);
}

/// Converts to JSON, with the bytes of plain values.
class Writer {
 public:
  template <class Value>
  static Json json_of(Value& value) {
    if constexpr (std::is_trivially_copyable_v<Value>) {
      return binary(&value, 1);
    } else {
      Writer writer;
      visit(writer, value);
      return std::move(writer.json_);
    }
  }
  static Json json_of(std::string& text) { return binary(text.data(), text.size()); }
  template <class Value>
  static Json json_of(std::vector<Value>& list) {
    if constexpr (std::is_trivially_copyable_v<Value>) return binary(list.data(), list.size());
    Json all = Json::array();
    for (Value& value : list) all.push_back(json_of(value));
    return all;
  }
  template <class Value>
  static Json json_of(std::map<std::string, Value>& map) {
    Json all = Json::object();
    for (auto& [name, value] : map) all[name] = json_of(value);
    return all;
  }

  template <class Value>
  void operator()(const char* name, Value& value) {
    json_[name] = json_of(value);
  }

 private:
  template <class Value>
  static Json binary(const Value* values, std::size_t n) {
    Json::binary_t bytes(std::vector<std::uint8_t>(n * sizeof(Value)));
    if (n > 0) std::memcpy(bytes.data(), values, bytes.size());
    return bytes;
  }

  Json json_ = Json::object();
};

/// Converts from JSON. Throws nlohmann's exceptions, and InputError for sizes.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}

  template <class Value>
  static void take(const Json& json, Value* value) {
    if constexpr (std::is_trivially_copyable_v<Value>) {
      const std::vector<std::uint8_t>& bytes = json.get_binary();
      if (bytes.size() != sizeof(Value)) throw InputError("a value of another size");
      std::memcpy(static_cast<void*>(value), bytes.data(), sizeof(Value));
    } else {
      Reader reader(json);
      visit(reader, *value);
    }
  }
  static void take(const Json& json, std::string* text) {
    const std::vector<std::uint8_t>& bytes = json.get_binary();
    text->assign(bytes.begin(), bytes.end());
  }
  template <class Value>
  static void take(const Json& json, std::vector<Value>* list) {
    if constexpr (std::is_trivially_copyable_v<Value>) {
      const std::vector<std::uint8_t>& bytes = json.get_binary();
      if (bytes.size() % sizeof(Value) != 0) throw InputError("a list of another size");
      list->resize(bytes.size() / sizeof(Value));
      if (!bytes.empty()) std::memcpy(static_cast<void*>(list->data()), bytes.data(), bytes.size());
    } else {
      list->clear();
      for (const Json& value : json) take(value, &list->emplace_back());
    }
  }
  template <class Value>
  static void take(const Json& json, std::map<std::string, Value>* map) {
    map->clear();
    for (const auto& [name, value] : json.items()) take(value, &(*map)[name]);
  }

  template <class Value>
  void operator()(const char* name, Value& value) {
    take(json_.at(name), &value);
  }

 private:
  const Json& json_;
};

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
  CheckpointFile copy = file;
  Json json = Writer::json_of(copy);
  json["build"] = build_id();
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
    Reader::take(json, &file);
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

KeptBytes run_of_checkpoint(const std::string& path) {
  const std::string bytes = bytes_of_file(path);
  KeptBytes run;
  try {
    Reader::take(parsed(body_of(bytes, path), path).at("run"), &run);
  } catch (const Json::exception& error) {
    refuse(path, fmt::format("is no whole checkpoint ({})", error.what()));
  }
  return run;
}

void require_whole_checkpoint(const std::string& path) {
  body_of(bytes_of_file(path), path);
}

}  // namespace nodia
