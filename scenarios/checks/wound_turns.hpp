/// The check wound_turns: what it compares, its keys, its evaluator.
#pragma once

#include <optional>
#include <string>

#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/place.hpp"

namespace nodia {

/// Turns of a cable around a cylinder or a capsule at one time: sum of the angles about the z axis
/// of the obstacle between the centres of neighbouring links that both touch it, from rear to
/// front. Right-handed turns are positive, left-handed turns are negative. Value: turns [-].
struct WoundTurns {
  static constexpr const char* kName = "wound_turns";
  std::string body;
  std::string around;
  double within_m = 5e-4;  ///< largest distance between the surfaces of link and obstacle [m], > 0
  std::optional<double> at_s;  ///< evaluated at the end of the first step that ends at or after it;
                               ///< absent: last step [s]
  std::optional<double> above_turns;  ///< at least one of the two is set
  std::optional<double> below_turns;
};

inline void visit_keys(DocumentVisitor& v, WoundTurns& c) {
  const auto number = [&](const Key& key, double& value) { v.real(key, value, Range::any()); };
  v.text({"body", "name of a cable", "", true}, c.body);
  v.text({"around", "name of an obstacle, a cylinder or a capsule", "", true}, c.around);
  v.real({"within_m", "links count where no more is between the surfaces [m]", "try 5e-4"},
         c.within_m, Range::positive());
  visit_moment(v, c);
  v.optional({"above_turns", "right-handed about the z axis of the obstacle"}, c.above_turns,
             number);
  v.optional({"below_turns", "right-handed about the z axis of the obstacle"}, c.below_turns,
             number);
}

/// Checks the keys against each other and the scene. @param path  dotted path @throws ValueError
void validate(const WoundTurns& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const WoundTurns& check);

}  // namespace nodia
