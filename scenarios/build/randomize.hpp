/// Values drawn by the rules of a scenario's `randomize`.
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/draw_rule.hpp"
#include "scenarios/format/draw_seed.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

/// A value drawn for this run.
struct DrawnValue {
  std::string key;  ///< dotted, e.g. bodies.mat.friction
  YamlNode value;   ///< a number; or what a choice has; or the four numbers of an orientation
};

/// Takes the rules of the tree's `randomize` out of it whose keys an override touches. What follows
/// one of these keys has a choice of one value then, that which the override gives it.
/// @param set  keys set by overrides
/// @throws InputError where an override leaves no value to follow, or one that is not accepted
void remove_set_rules(YamlNode* root, const std::vector<std::string>& set);

/// Draws by the rules of the tree's `randomize`, puts the values into the tree and takes
/// `randomize` out of it.
std::vector<DrawnValue> draw_values(YamlNode* root, const DrawSeed& draw);

/// Throws InputError unless every rule of `randomize` belongs to a known key that may take what the
/// rule may draw, and what is `same_as` another follows one that is drawn.
void require_good_rules(const YamlNode& root);

/// Values that the rule of a key may draw: both ends of a range, every choice, some turns.
std::vector<YamlNode> extremes_of_rule(const YamlNode& root, const std::string& key);

/// `file:line: randomize.key = rule (why)`, about an entry of the tree's `randomize`.
[[noreturn]] void refuse_rule(const YamlNode& root, const std::string& key, const std::string& why);

/// The rules with the paths in their choices made absolute, as they are to be written for a file in
/// another folder.
std::vector<DrawRule> with_absolute_paths(const YamlNode& root);

}  // namespace nodia
