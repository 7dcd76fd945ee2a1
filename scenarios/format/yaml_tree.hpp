/// YAML as a tree whose nodes store their file and line. Parsing any byte sequence returns a tree
/// or throws InputError.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nodia {

/// Source of a value: a file, or an argument of the command line.
struct YamlSource {
  std::string label;                ///< name in messages
  std::filesystem::path directory;  ///< base of relative paths
  bool has_lines = true;            ///< true if messages add the line number
};

enum class YamlKind { null, scalar, sequence, map };

struct YamlNode {
  YamlKind kind = YamlKind::null;
  std::string key;                 ///< key in the parent map; empty in a sequence
  std::string text;                ///< text of a scalar
  bool quoted = false;             ///< true for a scalar in quotes
  int line = 0;                    ///< line of the key, without a key line of the value
  std::vector<YamlNode> children;  ///< members of a sequence or a map, in the order of the file
  std::shared_ptr<const YamlSource> source;

  bool is_map() const { return kind == YamlKind::map; }
  bool is_sequence() const { return kind == YamlKind::sequence; }
  /// Value of a key of a map; null if there is none.
  const YamlNode* find(std::string_view name) const;
  YamlNode* find(std::string_view name);
};

/// Parses one document of at most 200 000 nodes. Anchors and aliases are expanded.
/// @throws InputError `label:line: ...` for bytes that are not text, invalid YAML, repeated keys,
///         tags and several documents
YamlNode parse_yaml(const std::string& text, const std::shared_ptr<const YamlSource>& source);

/// Parses a file of at most 8 MiB. The document must be a map.
/// @throws InputError like parse_yaml(), and for a missing file, a directory and an empty file
YamlNode read_yaml_file(const std::string& path);

/// Place of a node for messages: `file:line` or `--set key=value`.
std::string location(const YamlNode& node);

/// Value of a node for messages: one line with at most 60 printable characters.
std::string shown(const YamlNode& node);

/// Writes a map in block style, with short sequences inline. parse_yaml() of this text returns the
/// same tree.
std::string write_yaml(const YamlNode& map);

/// Creates nodes. Readers of YAML 1.1 and 1.2 read yaml_scalar() as a number and yaml_text() as a
/// text.
YamlNode yaml_scalar(double value);
YamlNode yaml_text(std::string value);
YamlNode yaml_plain(std::string value);  ///< without quotes

}  // namespace nodia
