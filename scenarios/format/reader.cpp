#include "scenarios/format/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"
#include "kernels/core/number.hpp"

namespace nodia {
namespace {

constexpr std::size_t kMaxName = 64;

/// Hint for a value that is not a number, if the mistake is recognised; otherwise the key's hint.
std::string number_hint(const YamlNode& node, const std::string& hint) {
  if (node.kind != YamlKind::scalar) return hint;
  if (node.quoted && parse_real(node.text)) return "leave out the quotes";
  if (node.text.find(',') != std::string::npos) return "write the decimal point as a point";
  const std::size_t blank = node.text.find(' ');
  if (blank != std::string::npos && parse_real(node.text.substr(0, blank)))
    return fmt::format("write {}; the unit stands in the key", node.text.substr(0, blank));
  return hint;
}

/// Hint with the numbers of a text in brackets. Empty unless the text consists of `n` numbers.
std::string bracketed(const YamlNode& node, std::size_t n) {
  if (node.kind != YamlKind::scalar) return "";
  std::string text = node.text;
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    if (!parse_real(word)) return "";
    words.push_back(word);
  }
  return words.size() == n ? fmt::format("write [{}]", fmt::join(words, ", ")) : "";
}

/// Hint for a value that is not a list of `n` numbers. For a single number it is a list with this
/// number last, such as `[0, 0, -9.81]`; otherwise the key's hint.
std::string list_hint(const YamlNode& node, std::size_t n, const Range& range,
                      const std::string& hint) {
  if (std::string written = bracketed(node, n); n > 1 && !written.empty()) return written;
  const std::optional<double> value =
      node.kind == YamlKind::scalar && !node.quoted ? parse_real(node.text) : std::nullopt;
  if (!hint.empty() || !value || !range.contains(*value)) return hint;
  std::vector<std::string> values(n, range.contains(0) ? "0" : node.text);
  values.back() = node.text;
  return fmt::format("try [{}]", fmt::join(values, ", "));
}

bool is_name(const std::string& name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto other = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-'; };
  return !name.empty() && name.size() <= kMaxName && letter(name.front()) &&
         std::all_of(name.begin(), name.end(), other);
}

}  // namespace

Reader::Reader(const YamlNode& group, std::string path) : group_(group), path_(std::move(path)) {
  if (group.kind != YamlKind::map && group.kind != YamlKind::null) {
    refuse_value(group, path_.empty() ? "scenario" : path_, "a group of keys", "write key: value");
  }
}

const YamlNode* Reader::take(const Key& key) {
  known_.push_back(key.name);
  const YamlNode* node = group_.find(key.name);
  if (!node && key.required && !missing_) missing_ = key;
  return node;
}

void Reader::refuse(const YamlNode& node, const std::string& rule, const std::string& hint) const {
  refuse_value(node, path_of(node), rule, hint);
}

void Reader::refuse_choice(const YamlNode& node, const std::vector<std::string>& names) const {
  refuse(node, fmt::format("one of {}", fmt::join(names, ", ")),
         node.kind == YamlKind::scalar ? similar_name_hint(node.text, names) : "");
}

void Reader::require_name(const YamlNode& node, const std::string& path) const {
  if (is_name(node.key)) return;
  throw InputError(
      fmt::format("{}: {} (a name must be 1 to {} letters, digits, _ and -, a letter first)",
                  location(node), shown(yaml_plain(path)), kMaxName));
}

double Reader::number(const YamlNode& node, const std::string& path, const Range& range,
                      const char* hint) const {
  const bool plain = node.kind == YamlKind::scalar && !node.quoted;
  const std::optional<double> value = plain ? parse_real(node.text) : std::nullopt;
  if (!value) refuse_value(node, path, "a finite number", number_hint(node, hint));
  if (!range.contains(*value)) refuse_value(node, path, range.rule(), hint);
  return *value;
}

std::int64_t Reader::whole_number(const YamlNode& node, const std::string& path, std::int64_t low,
                                  std::int64_t high, const char* hint) const {
  std::int64_t value = 0;
  const char* const begin = node.text.data();
  const char* const end = begin + node.text.size();
  const auto [last, code] = std::from_chars(begin, end, value);
  if (node.kind != YamlKind::scalar || node.quoted || code != std::errc() || last != end ||
      value < low || value > high) {
    refuse_value(
        node, path,
        low == high ? std::to_string(low) : fmt::format("a whole number in [{}, {}]", low, high),
        number_hint(node, hint));
  }
  return value;
}

std::array<double, 4> Reader::tuple(const YamlNode& node, const std::string& path, std::size_t n,
                                    const Range& range, const char* hint) const {
  if (!node.is_sequence() || node.children.size() != n) {
    refuse_value(node, path, fmt::format("{} numbers in brackets", n),
                 list_hint(node, n, range, hint));
  }
  std::array<double, 4> values{};
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = number(node.children[i], joined(path, std::to_string(i)), range, hint);
  }
  return values;
}

void Reader::real(const Key& key, double& value, const Range& range) {
  if (const YamlNode* node = take(key)) value = number(*node, path_of(*node), range, key.hint);
}

void Reader::integer(const Key& key, int& value, int low, int high) {
  if (const YamlNode* node = take(key)) {
    value = static_cast<int>(whole_number(*node, path_of(*node), low, high, key.hint));
  }
}

void Reader::unsigned_64(const Key& key, std::uint64_t& value) {
  const YamlNode* node = take(key);
  if (!node) return;
  const char* const end = node->text.data() + node->text.size();
  const auto [last, code] = std::from_chars(node->text.data(), end, value);
  if (node->kind != YamlKind::scalar || node->quoted || code != std::errc() || last != end) {
    refuse(*node, "a whole number in [0, 2^64)", key.hint);
  }
}

void Reader::boolean(const Key& key, bool& value) {
  choice(key, value, Choices<bool>{{"true", true}, {"false", false}});
}

void Reader::text(const Key& key, std::string& value) {
  const YamlNode* node = take(key);
  if (!node) return;
  if (node->kind != YamlKind::scalar) refuse(*node, "a text", key.hint);
  value = node->text;
}

void Reader::texts(const Key& key, std::vector<std::string>& value) {
  const YamlNode* node = take(key);
  if (!node || node->kind == YamlKind::null) return;
  const auto is_text = [](const YamlNode& text) {
    return text.kind == YamlKind::scalar && !text.text.empty();
  };
  const std::vector<YamlNode> one{*node};
  const std::vector<YamlNode>& all = node->is_sequence() ? node->children : one;
  if (!std::all_of(all.begin(), all.end(), is_text))
    refuse(*node, "a name, or names in brackets", key.hint);
  value.clear();
  for (const YamlNode& text : all) value.push_back(text.text);
}

void Reader::file(const Key& key, std::string& value) {
  const YamlNode* node = take(key);
  if (node) value = file_path(*node, path_of(*node), "the name of a file", key.hint);
}

/// Absolute path of a file. Relative paths start from the folder of the node's source.
/// package://NAME/PATH does not change.
std::string Reader::file_path(const YamlNode& node, const std::string& key, const std::string& rule,
                              const std::string& hint) const {
  if (node.kind != YamlKind::scalar || node.text.empty() ||
      node.text.find('\0') != std::string::npos)
    refuse_value(node, key, rule, hint);
  if (node.text.starts_with(kPackagePrefix)) return node.text;
  return (node.source->directory / node.text).lexically_normal().string();
}

void Reader::vector(const Key& key, Vec3d& value, const Range& range) {
  const YamlNode* node = take(key);
  if (!node) return;
  const std::array<double, 4> read = tuple(*node, path_of(*node), 3, range, key.hint);
  value = {read[0], read[1], read[2]};
}

void Reader::numbers(const Key& key, std::vector<double>& value,
                     const std::vector<std::size_t>& sizes, const Range& range) {
  const YamlNode* node = take(key);
  if (!node) return;
  if (!node->is_sequence() ||
      std::find(sizes.begin(), sizes.end(), node->children.size()) == sizes.end()) {
    refuse(*node, fmt::format("{} numbers in brackets", fmt::join(sizes, " or ")),
           list_hint(*node, sizes.front(), range, key.hint));
  }
  for (std::size_t i = 0; i < node->children.size(); ++i) {
    const std::string path = joined(path_of(*node), std::to_string(i));
    value.push_back(number(node->children[i], path, range, key.hint));
  }
}

void Reader::points(const Key& key, std::vector<Vec3d>& value) {
  const YamlNode* node = take(key);
  if (!node) return;
  if (!node->is_sequence() || node->children.size() < 2) {
    refuse(*node, "a list of 2 positions or more", key.hint);
  }
  for (std::size_t i = 0; i < node->children.size(); ++i) {
    const std::string path = joined(path_of(*node), std::to_string(i));
    const std::array<double, 4> read = tuple(node->children[i], path, 3, Range::any(), key.hint);
    value.push_back({read[0], read[1], read[2]});
  }
}

void Reader::numbers_by_name(const Key& key, std::vector<NamedNumber>& value) {
  const YamlNode* node = take(key);
  if (!node || node->kind == YamlKind::null) return;
  if (!node->is_map()) refuse(*node, "names with numbers", key.hint);
  for (const YamlNode& child : node->children) {
    const std::string path = joined(path_of(*node), child.key);
    value.push_back({child.key, number(child, path, Range::any(), key.hint)});
  }
}

void Reader::folders_by_name(const Key& key, std::map<std::string, std::string>& value) {
  const YamlNode* node = take(key);
  if (!node || node->kind == YamlKind::null) return;
  if (!node->is_map()) refuse(*node, "names with folders", key.hint);
  for (const YamlNode& child : node->children) {
    const std::string child_key = joined(path_of(*node), child.key);
    const std::string folder = file_path(child, child_key, "the name of a folder", key.hint);
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
      refuse_value(child, child_key, "a folder", fmt::format("'{}' is none", folder));
    value[child.key] = folder;
  }
}

void Reader::cells(const Key& key, std::array<int, 3>& value, int low, int high) {
  const YamlNode* node = take(key);
  if (!node) return;
  if (!node->is_sequence() || node->children.size() != 3) {
    refuse(*node, "3 whole numbers in brackets", key.hint);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string path = joined(path_of(*node), std::to_string(i));
    value[i] = static_cast<int>(whole_number(node->children[i], path, low, high, key.hint));
  }
}

void Reader::quaternion(const Key& key, Quaternion& value) {
  const YamlNode* node = take(key);
  if (!node) return;
  const std::array<double, 4> q = tuple(*node, path_of(*node), 4, Range::any(), key.hint);
  const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  // A quaternion with three digits has unit length within 1e-3. A larger error is a mistake.
  if (!(std::fabs(length - 1) <= 1e-3)) refuse(*node, "of unit length within 1e-3", key.hint);
  value = {q[0], q[1], q[2], q[3]};
}

void Reader::values(const Key& key, std::vector<YamlNode>& value) {
  const YamlNode* node = take(key);
  if (!node) return;
  if (!node->is_sequence() || node->children.empty())
    refuse(*node, "a list of 1 value or more", key.hint);
  value = node->children;
}

void Reader::draw_rules(const Key& key, std::vector<DrawRule>& value) {
  const YamlNode* node = take(key);
  if (!node || node->kind == YamlKind::null) return;
  if (!node->is_map())
    refuse(*node, "dotted keys with ranges", "e.g. bodies.mat.friction: [0.1, 0.5]");
  const Reader reader(*node, path_of(*node));
  for (const YamlNode& child : node->children) {
    DrawRule& rule = value.emplace_back();
    if (child.is_map()) {
      Reader group(child, reader.path_of(child));
      visit_keys(group, rule);
      group.finish();
    } else if (child.kind == YamlKind::scalar && child.text == "rotation") {
      rule.rotation.emplace();
    } else {
      const std::array<double, 4> read =
          reader.tuple(child, reader.path_of(child), 2, Range::any(),
                       "[low, high], rotation, or {log_uniform: [low, high]} and its like");
      rule.uniform = {read[0], read[1]};
    }
    rule.key = child.key;
    if (const std::string broken = broken_rule(rule); !broken.empty())
      reader.refuse(child, broken, "");
  }
}

void Reader::exactly_one(const char* what) {
  if (group_.children.size() != 1) refuse_value(group_, path_, "exactly one of its keys", what);
}

void Reader::word(const Key& key, std::string& value, const std::vector<std::string>& words) {
  const YamlNode* node = take(key);
  if (!node) return;
  if (node->kind != YamlKind::scalar ||
      std::find(words.begin(), words.end(), node->text) == words.end())
    refuse_choice(*node, words);
  value = node->text;
}

DocumentVisitor::OptionalValue Reader::begin_optional(const Key& key, bool) {
  if (group_.find(key.name)) return OptionalValue::read;
  known_.push_back(key.name);
  return OptionalValue::left_out;
}

void Reader::visit_group(const Key& key, const std::function<void(DocumentVisitor&)>& visit) {
  const YamlNode* node = take(key);
  if (!node) return;
  Reader reader(*node, path_of(*node));
  visit(reader);
  reader.finish();
}

void Reader::visit_named(const Key& key, GroupList& groups) {
  const YamlNode* node = take(key);
  if (!node || node->kind == YamlKind::null) return;
  if (!node->is_map()) refuse(*node, "a map of names", "e.g. floor: {shape: half_space}");
  for (const YamlNode& child : node->children) {
    const std::string path = joined(path_of(*node), child.key);
    if (!groups.has_foreign_names()) require_name(child, path);
    if (child.kind != YamlKind::map && child.kind != YamlKind::null)
      refuse_value(child, path, "a name with a group of keys", "e.g. my_name: {key: value}");
    groups.add(child.key);
    Reader reader(child, path);
    groups.visit(reader, groups.size() - 1);
    reader.finish();
  }
}

void Reader::visit_list(const Key& key, GroupList& groups) {
  const YamlNode* node = take(key);
  if (!node || node->kind == YamlKind::null) return;
  if (!node->is_sequence()) refuse(*node, "a list", "e.g. [{...}, {...}]");
  for (const YamlNode& child : node->children) {
    Reader reader(child, joined(path_of(*node), std::to_string(groups.size())));
    groups.add("");
    groups.visit(reader, groups.size() - 1);
    reader.finish();
  }
}

void Reader::visit_tagged(const Key& key, TaggedGroup& group) {
  const YamlNode* node = take(key);
  if (!node) return;
  const std::vector<std::string> names = group.names();
  const auto found = std::find(names.begin(), names.end(), node->text);
  if (node->kind != YamlKind::scalar || found == names.end()) refuse_choice(*node, names);
  group.choose(static_cast<std::size_t>(found - names.begin()));
  group.visit(*this);
}

bool Reader::is_known(const YamlNode& child) const {
  return std::find(known_.begin(), known_.end(), child.key) != known_.end();
}

void Reader::refuse_missing() const {
  const std::string name = missing_->name;
  const YamlNode* slip = nullptr;
  int least = static_cast<int>(name.size());
  for (const YamlNode& child : group_.children) {
    const int distance = edit_distance(child.key.substr(0, kMaxName), name);
    if (is_known(child) || distance >= least || nearest_name(child.key, known_) != name) continue;
    slip = &child;
    least = distance;
  }
  // The hint describes a value. For a missing key the message first gives the meaning of the key.
  std::string text = missing_->meaning;
  if (*missing_->hint) text += fmt::format("; {}", missing_->hint);
  if (slip) text += fmt::format("; has '{}', did you mean {}?", shown(yaml_plain(slip->key)), name);
  throw InputError(fmt::format("{}: {} is missing ({})", location(slip ? *slip : group_),
                               joined(path_, name), text));
}

void Reader::finish() const {
  if (missing_) refuse_missing();
  for (const YamlNode& child : group_.children) {
    if (is_known(child)) continue;
    const std::string key = shown(yaml_plain(child.key));
    if (known_.empty()) {
      throw InputError(fmt::format("{}: {} = {} (unknown key; none is known here)", location(child),
                                   joined(path_, key), shown(child)));
    }
    throw InputError(fmt::format("{}: {} = {} (unknown key; {})", location(child),
                                 joined(path_, key), shown(child),
                                 known_names_hint(child.key, known_)));
  }
}

}  // namespace nodia
