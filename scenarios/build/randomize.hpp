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

/// Takes the rules of the tree's `randomize` out of it whose keys an override touches.
/// @param set  keys set by overrides
void remove_set_rules(YamlNode* root, const std::vector<std::string>& set);

/// Draws by the rules of the tree's `randomize`, puts the values into the tree and takes
/// `randomize` out of it.
std::vector<DrawnValue> draw_values(YamlNode* root, const DrawSeed& draw);

/// Throws InputError unless every rule of `randomize` belongs to a known key that may take what the
/// rule may draw, and what is `same_as` another follows one that is drawn.
void require_good_rules(const YamlNode& root);

/// The rules with the paths in their choices made absolute, as they are to be written for a file in
/// another folder.
std::vector<DrawRule> with_absolute_paths(const YamlNode& root);

}  // namespace nodia
