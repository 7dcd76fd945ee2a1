/// Dotted paths of the values of a tree.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

/// Path of a member: `a.b`, or `b` at the top level. A member of `randomize` is a path itself; the
/// name of any other member is written as a key_word().
std::string joined(const std::string& path, const std::string& member);

/// Path of text k in a list of `n` texts. The path of a single text is that of its list, because a
/// file may write it without brackets (Reader::texts()).
std::string path_of_text(const std::string& list, std::size_t n, std::size_t k);

/// Names along a path. The part after `randomize` is one name.
std::vector<std::string> path_names(const std::string& path);

/// The list index that a name is: digits alone, a number below `size`. Absent for other names.
std::optional<std::size_t> index_of(const std::string& name, std::size_t size);

/// Node at a dotted path, or the deepest existing group along it, for messages.
const YamlNode& nearest_node(const YamlNode& root, const std::string& path);

/// Node at a dotted path; null if there is none.
const YamlNode* find_node(const YamlNode& root, const std::string& path);

/// Throws InputError `file:line: path = value (must be rule; hint)`.
[[noreturn]] void refuse_value(const YamlNode& node, const std::string& path,
                               const std::string& rule, const std::string& hint);

}  // namespace nodia
