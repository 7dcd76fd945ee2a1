/// Domain randomisation: samples values by the rules of a scenario's `randomize`.
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/draw_rule.hpp"
#include "scenarios/format/draw_seed.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

/// A sampled value.
struct DrawnValue {
  std::string key;  ///< dotted, e.g. bodies.mat.friction
  YamlNode value;   ///< a number, a value of a choice, or the four numbers of an orientation
};

/// Removes the rules whose keys overrides set, from the tree's `randomize`. If a rule is `same_as`
/// one of these keys, it becomes a choice with one value, that of the override.
/// @param set  keys that overrides set
/// @throws InputError if an override leaves the other key of a `same_as` rule without a value, or
/// if
///         the key of the rule does not accept the value
void remove_set_rules(YamlNode* root, const std::vector<std::string>& set);

/// Samples the values of all rules, sets their keys in the tree, and removes `randomize` from it.
/// @return the values in the order of the rules
std::vector<DrawnValue> draw_values(YamlNode* root, const DrawSeed& draw);

/// Checks the rules of `randomize`: each rule must have a known key that accepts all its values,
/// and each `same_as` must name a key that is sampled.
/// @throws InputError for the first rule that breaks this
void require_good_rules(const YamlNode& root);

/// Extreme values that the rule of a key may sample: both ends of a range, every choice, some
/// rotations.
std::vector<YamlNode> extremes_of_rule(const YamlNode& root, const std::string& key);

/// Throws the error of an entry of the tree's `randomize`: `file:line: randomize.key = rule (why)`.
[[noreturn]] void refuse_rule(const YamlNode& root, const std::string& key, const std::string& why);

/// Rules of the tree's `randomize` with absolute paths in their choices. A file in another folder
/// may contain them.
std::vector<DrawRule> with_absolute_paths(const YamlNode& root);

}  // namespace nodia
