/// The keys that a kind of document may have, from its schema.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

/// Of an object whose keys depend on its kind (the shape of an obstacle): the keys of every kind,
/// or of the one that the file has chosen.
enum class Alternatives { all, chosen };

class DocumentKeys {
 public:
  /// @param schema  of the document, by SchemaBuilder
  explicit DocumentKeys(nlohmann::ordered_json schema) : schema_(std::move(schema)) {}

  /// Every dotted key that the document may have, for the names and list members in it: present
  /// keys and absent ones.
  std::vector<std::string> known(const YamlNode& root,
                                 Alternatives alternatives = Alternatives::all) const;
  /// Groups of the top level whose members are groups with names.
  std::vector<std::string> named_groups() const;
  /// Whether the last word of a key may be new: the name of a group, a number or a list.
  bool adds_member(const std::vector<std::string>& words, const YamlNode& value) const;

 private:
  nlohmann::ordered_json schema_;
};

}  // namespace nodia
