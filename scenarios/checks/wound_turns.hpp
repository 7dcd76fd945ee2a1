/// The check wound_turns: what it compares, its keys, its evaluator.
#pragma once

#include <optional>
#include <string>

#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/place.hpp"

namespace nodia {

/// Turns of a cable that lie on a cylinder or a capsule at one time: the angle about its z axis
/// from the centre of each link to the next, both of which lie on it, summed from rear to front
/// [turns], counted positive in the right-handed sense. A turn back counts off.
struct WoundTurns {
  static constexpr const char* kName = "wound_turns";
  std::string body;
  std::string around;
  double within_m = 5e-4;  ///< a link lies on it where no more is between their surfaces [m], > 0
  std::optional<double>
      at_s;  ///< end of the first step at or behind it; absent: end of the run [s]
  std::optional<double> above_turns;  ///< at least one of the two
  std::optional<double> below_turns;
};

template <class V>
void visit_keys(V& v, WoundTurns& c) {
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

/// Rules between its keys and the scene. @param path  of the check @throws ValueError
void validate(const WoundTurns& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const WoundTurns& check);

}  // namespace nodia
