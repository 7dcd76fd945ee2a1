/// The check body_position: what it compares, its keys, its evaluator.
#pragma once

#include <optional>
#include <string>

#include "host/scene/mount.hpp"
#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/place.hpp"

namespace nodia {

/// A coordinate of a rigid body's centre of mass, of a cable's links or of one of its ends at one
/// time lies between two bounds [m].
struct BodyPosition {
  static constexpr const char* kName = "body_position";
  std::string body;
  MountPoint at = MountPoint::body;  ///< body: the centre of mass, the links' centres
  Axis axis = Axis::z;
  Statistic of = Statistic::mean;  ///< over the links
  std::optional<double>
      at_s;  ///< end of the first step at or behind it; absent: end of the run [s]
  std::optional<double> above_m;  ///< at least one of the two [m]
  std::optional<double> below_m;
};

template <class V>
void visit_keys(V& v, BodyPosition& c) {
  v.text({"body", "name of a rigid body or a cable", "", true}, c.body);
  v.choice({"at", "rear or front end of a cable; body: centre of mass, centres of links"}, c.at,
           choices_of<MountPoint>());
  visit_place(v, c, "over the links of a cable");
}

/// Rules between its keys and the scene. @param path  of the check @throws ValueError
void validate(const BodyPosition& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const BodyPosition& check);

}  // namespace nodia
