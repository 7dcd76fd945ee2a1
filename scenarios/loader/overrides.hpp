/// Changes to a scenario's tree from outside the file: `--set key=value` and values drawn from
/// ranges.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/loader/scenario.hpp"
#include "scenarios/loader/yaml_tree.hpp"

namespace nodia {

/// Applies `dotted.key=value` to a tree that read_document accepts.
///
/// Where the first word is no key of the top level but the name of one object in the file, the key
/// is that object's: `cable.links` is `cables.cable.links`; of several objects of that name, the
/// one that may have the key. `check.KEY` is KEY of the one check that may have it.
/// @return the dotted key, indices of named members replaced by their names
/// @throws InputError: no `=`, bad YAML in the value, an unknown key (with the nearest known one)
std::string apply_override(YamlNode* root, const std::string& argument);

/// Takes the ranges of the tree's `randomize` out of it whose keys an override touches.
/// @param set  keys set by overrides
void remove_set_ranges(YamlNode* root, const std::vector<std::string>& set);

/// Draws the ranges of the tree's `randomize`, puts the values into the tree and takes `randomize`
/// out of it.
std::vector<DrawnValue> draw_values(YamlNode* root, std::uint64_t seed);

/// Throws InputError unless every range of `randomize` belongs to a known number that may take both
/// of its ends.
void require_good_ranges(const YamlNode& root);

/// A number in [0, 1) that depends on (seed, key) alone, uniform over keys and over seeds.
double draw_unit(std::uint64_t seed, const std::string& key);

}  // namespace nodia
