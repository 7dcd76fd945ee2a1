/// YAML as a plain tree that knows where each value was written. Any byte sequence ends in a tree
/// or in an InputError.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nodia {

/// What a value was written in: a file, or an argument of the command line.
struct YamlSource {
  std::string label;                ///< how messages name it
  std::filesystem::path directory;  ///< what relative paths written there start from
  bool has_lines = true;            ///< messages add the line
};

enum class YamlKind { null, scalar, sequence, map };

struct YamlNode {
  YamlKind kind = YamlKind::null;
  std::string key;                 ///< its name, where it is the value of a map's key
  std::string text;                ///< of a scalar
  bool quoted = false;             ///< the scalar was written in quotes
  int line = 0;                    ///< of its key where it has one, else of the value
  std::vector<YamlNode> children;  ///< of a sequence or a map, in the order written
  std::shared_ptr<const YamlSource> source;

  bool is_map() const { return kind == YamlKind::map; }
  bool is_sequence() const { return kind == YamlKind::sequence; }
  /// Value of a map's key, or null.
  const YamlNode* find(std::string_view name) const;
  YamlNode* find(std::string_view name);
};

/// One document. Anchors and aliases are expanded, at most 200 000 nodes in all.
/// @throws InputError `label:line: ...`: not text, not YAML, a key twice, tags, several documents
YamlNode parse_yaml(const std::string& text, const std::shared_ptr<const YamlSource>& source);

/// The same for a file of at most 8 MiB. @throws InputError also where it is missing, a directory,
/// empty
YamlNode read_yaml_file(const std::string& path);

/// Where a node was written, for messages: `file:line` or `--set key=value`.
std::string location(const YamlNode& node);

/// A node's value on one line, at most 60 printable characters, for messages.
std::string shown(const YamlNode& node);

/// Block style with short sequences inline; parse_yaml of it gives the same tree.
std::string write_yaml(const YamlNode& map);

/// Nodes made by a program. Readers of YAML 1.1 and 1.2 take a scalar for a number and a text for a
/// text.
YamlNode yaml_scalar(double value);
YamlNode yaml_text(std::string value);
YamlNode yaml_plain(std::string value);  ///< as it stands, never in quotes

}  // namespace nodia
