/// Rules of domain randomisation: entries of `randomize`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/core/key.hpp"
#include "kernels/core/vec3.hpp"
#include "scenarios/format/draw_seed.hpp"
#include "scenarios/format/visitor.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

struct RotationRule {
  std::optional<Vec3d> about;        ///< axis in the world, any length > 0; absent: random axis
  std::optional<double> within_rad;  ///< largest angle, in (0, pi]; absent: pi
};

/// Rule for the value of a key. Exactly one of uniform, log_uniform, normal, integer, choice,
/// rotation and same_as is set.
struct DrawRule {
  std::string key;  ///< dotted key whose value is sampled

  std::optional<std::vector<double>> uniform;      ///< [low, high]
  std::optional<std::vector<double>> log_uniform;  ///< [low, high], 0 < low: uniform logarithm
  std::optional<std::vector<double>> normal;       ///< [mean, standard deviation], needs `within`
  std::optional<std::vector<double>> within;       ///< [low, high] of `normal`
  std::optional<std::vector<double>> integer;      ///< [low, high], whole numbers, inclusive
  std::optional<std::vector<YamlNode>> choice;     ///< values with equal probabilities
  std::optional<RotationRule> rotation;            ///< rotation of the orientation in the file
  std::optional<std::string> same_as;              ///< another sampled key
  std::optional<double> times;                     ///< factor for the value of `same_as`
};

inline void visit_keys(DocumentVisitor& v, RotationRule& r) {
  v.optional({"about", "axis in the world; left out: every axis", "e.g. [0, 0, 1]"}, r.about,
             [&](const Key& key, Vec3d& axis) { v.vector(key, axis, Range::any()); });
  v.optional({"within_rad", "largest angle; left out: pi [rad]", "try 0.5"}, r.within_rad,
             [&](const Key& key, double& angle) {
               v.real(key, angle, Range::above_to(0, 3.14159265358979323846));
             });
}

inline void visit_keys(DocumentVisitor& v, DrawRule& d) {
  const auto two = [&](const Range& range) {
    return [&v, range](const Key& key, std::vector<double>& values) {
      v.numbers(key, values, {2}, range);
    };
  };
  v.optional({"uniform", "[low, high], each value as likely as the others", "e.g. [0.4, 1.0]"},
             d.uniform, two(Range::any()));
  v.optional({"log_uniform", "[low, high], each factor as likely as the others", "e.g. [2e4, 2e5]"},
             d.log_uniform, two(Range::positive()));
  v.optional({"normal", "[mean, standard deviation], cut off at `within`", "e.g. [0.5, 0.1]"},
             d.normal, two(Range::any()));
  v.optional({"within", "[low, high] of normal", "e.g. [0.2, 0.8]"}, d.within, two(Range::any()));
  v.optional({"integer", "[low, high], both included", "e.g. [100, 400]"}, d.integer,
             two(Range::between(-9007199254740992.0, 9007199254740992.0)));
  v.optional({"choice", "values of any kind, each as likely as the others", "e.g. [a.msh, b.msh]"},
             d.choice,
             [&](const Key& key, std::vector<YamlNode>& values) { v.values(key, values); });
  v.optional_group({"rotation", "a turn of the orientation that stands in the file"}, d.rotation);
  v.optional({"same_as", "another key of randomize, whose value it takes"}, d.same_as,
             [&](const Key& key, std::string& other) { v.text(key, other); });
  v.optional({"times", "factor of same_as", "try 2"}, d.times,
             [&](const Key& key, double& factor) { v.real(key, factor, Range::any()); });
}

/// First requirement between the keys of a rule that is broken, such as `without times, which
/// belongs to same_as`. Empty if the rule is valid.
std::string broken_rule(const DrawRule& rule);

/// Samples a rule without `same_as`: a number, a list, or a value of its choice.
/// @param written  orientation in the file, for `rotation`; null if the file has none
YamlNode draw_value(const DrawRule& rule, const DrawSeed& draw, const YamlNode* written);

/// Extreme values of a rule without `same_as`: both ends of a range, every choice, some rotations.
/// A key that accepts these accepts all samples.
std::vector<YamlNode> extreme_values(const DrawRule& rule, const YamlNode* written);

/// Product of a number and a factor. Absent if the value is not a number.
std::optional<YamlNode> times(const YamlNode& value, double factor);

}  // namespace nodia
