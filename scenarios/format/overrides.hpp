/// Overrides: changes of a document's tree from the command line, `--set key=value`.
#pragma once

#include <string>

#include "scenarios/format/document_keys.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

/// Applies `dotted.key=value` to a tree with valid keys.
///
/// Short keys: if the first name is not a key of the top level but the name of an object in the
/// file, the key belongs to that object: `cable.links` means `cables.cable.links`. If several
/// objects have this name, the one that may have the key is used. `check.KEY` means KEY of the only
/// check that may have it.
/// @return the full dotted key, with names instead of indices of named members
/// @throws InputError if there is no `=`, if the value is not YAML, or if the key is unknown (with
///         the nearest known key)
std::string apply_override(YamlNode* root, const DocumentKeys& keys, const std::string& argument);

/// Sets a known key to a value. Adds missing groups.
/// @return the key, with names instead of indices of named members
/// @throws InputError if the key is unknown
std::string put(YamlNode* root, const DocumentKeys& keys, const std::string& key, YamlNode value);

/// True if a dotted key equals `group` or belongs to it.
bool within(const std::string& key, const std::string& group);

/// Last name of a dotted key.
std::string last_word(const std::string& key);

}  // namespace nodia
