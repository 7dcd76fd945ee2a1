/// The check body_position: what it compares, its keys, its evaluator.
#pragma once

#include <optional>
#include <string>

#include "host/scene/mount.hpp"
#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/place.hpp"

namespace nodia {

/// A coordinate of a rigid body's centre of mass, of a cable's links or of an end of a cable lies
/// between two bounds at one time. Value: the coordinate [m].
struct BodyPosition {
  static constexpr const char* kName = "body_position";
  std::string body;
  MountPoint at = MountPoint::body;  ///< body: centre of mass, or centres of the links
  Axis axis = Axis::z;
  Statistic of = Statistic::mean;  ///< over the links
  std::optional<double> at_s;  ///< evaluated at the end of the first step that ends at or after it;
                               ///< absent: last step [s]
  std::optional<double> above_m;  ///< at least one of the two is set [m]
  std::optional<double> below_m;
};

inline void visit_keys(DocumentVisitor& v, BodyPosition& c) {
  v.text({"body", "name of a rigid body or a cable", "", true}, c.body);
  v.choice({"at", "rear or front end of a cable; body: centre of mass, centres of links"}, c.at,
           choices_of<MountPoint>());
  visit_place(v, c, "over the links of a cable");
}

/// Checks the keys against each other and the scene. @param path  dotted path @throws ValueError
void validate(const BodyPosition& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const BodyPosition& check);

}  // namespace nodia
