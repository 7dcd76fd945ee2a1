/// Values drawn from the ranges of a scenario's `randomize`.
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/draw_seed.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

/// A value drawn for this run.
struct DrawnValue {
  std::string key;  ///< dotted, e.g. bodies.mat.friction
  double value = 0;
};

/// Takes the ranges of the tree's `randomize` out of it whose keys an override touches.
/// @param set  keys set by overrides
void remove_set_ranges(YamlNode* root, const std::vector<std::string>& set);

/// Draws the ranges of the tree's `randomize`, puts the values into the tree and takes `randomize`
/// out of it.
std::vector<DrawnValue> draw_values(YamlNode* root, const DrawSeed& draw);

/// Throws InputError unless every range of `randomize` belongs to a known number that may take both
/// of its ends.
void require_good_ranges(const YamlNode& root);

}  // namespace nodia
