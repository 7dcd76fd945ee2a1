/// The check weight_on_obstacle: what it compares, its keys, its evaluator.
#pragma once

#include <string>

#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/window.hpp"

namespace nodia {

/// Mean vertical force of one obstacle, the attachments and the mounts on the bodies, compared with
/// the weight of the bodies. Robots do not count. Value: |force/weight - 1| [-].
struct WeightOnObstacle {
  static constexpr const char* kName = "weight_on_obstacle";
  std::string obstacle;
  double from_s = 0, to_s = 0;       ///< steps that end in (from, to] [s]
  double relative_tolerance = 0.01;  ///< [-], > 0
};

inline void visit_keys(DocumentVisitor& v, WeightOnObstacle& c) {
  v.text({"obstacle", "name of an obstacle", "", true}, c.obstacle);
  visit_window(v, c);
  v.real({"relative_tolerance", "of |force/weight - 1| [-]", "try 0.01"}, c.relative_tolerance,
         Range::positive());
}

/// Checks the keys against each other and the scene. @param path  dotted path @throws ValueError
void validate(const WeightOnObstacle& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const WeightOnObstacle& check);

}  // namespace nodia
