/// Lists the keys that a document may have, from its schema.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

/// Keys of an object whose keys depend on its kind, such as the shape of an obstacle: those of
/// every kind, or of the kind that the file selects.
enum class Alternatives { all, chosen };

class DocumentKeys {
 public:
  /// @param schema  schema of the document, from SchemaBuilder
  explicit DocumentKeys(nlohmann::ordered_json schema) : schema_(std::move(schema)) {}

  /// All dotted keys that the document may have, with the names and list indices of `root`.
  /// Includes keys that `root` lacks.
  std::vector<std::string> known(const YamlNode& root,
                                 Alternatives alternatives = Alternatives::all) const;
  /// Groups of the top level whose members are named groups, such as `bodies`.
  std::vector<std::string> named_groups() const;
  /// True if the key may add a member to a group of named members.
  /// @param words  names along the dotted key
  /// @param value  value of the new member
  bool adds_member(const std::vector<std::string>& words, const YamlNode& value) const;

 private:
  nlohmann::ordered_json schema_;
};

}  // namespace nodia
