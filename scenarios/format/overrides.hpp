/// Changes to a document's tree from outside the file: `--set key=value`.
#pragma once

#include <string>

#include "scenarios/format/document_keys.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

/// Applies `dotted.key=value` to a tree whose keys are good.
///
/// Where the first word is no key of the top level but the name of one object in the file, the key
/// is that object's: `cable.links` is `cables.cable.links`; of several objects of that name, the
/// one that may have the key. `check.KEY` is KEY of the one check that may have it.
/// @return the dotted key, indices of named members replaced by their names
/// @throws InputError: no `=`, bad YAML in the value, an unknown key (with the nearest known one)
std::string apply_override(YamlNode* root, const DocumentKeys& keys, const std::string& argument);

/// Puts a value at a key that is known, making the groups on the way.
/// @return the key, indices of named members replaced by their names
/// @throws InputError where the key is unknown
std::string put(YamlNode* root, const DocumentKeys& keys, const std::string& key, YamlNode value);

/// Whether a dotted key is the group or lies in it.
bool within(const std::string& key, const std::string& group);

/// The last name of a dotted key.
std::string last_word(const std::string& key);

}  // namespace nodia
