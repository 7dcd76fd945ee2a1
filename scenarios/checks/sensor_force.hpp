/// The check sensor_force: what it compares, its keys, its evaluator.
#pragma once

#include <optional>
#include <string>

#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/tolerance.hpp"
#include "scenarios/checks/window.hpp"

namespace nodia {

enum class ForcePart { x, y, z, norm };

/// Mean over steps of a component or of the norm of a sensor's force. Value: |mean - value_N| [N].
struct SensorForce {
  static constexpr const char* kName = "sensor_force";
  std::string sensor;
  ForcePart axis = ForcePart::norm;
  double from_s = 0, to_s = 0;  ///< steps that end in (from, to] [s]
  double value_N = 0;
  std::optional<double> relative_tolerance;  ///< of |value_N| [-], > 0; exactly one is set
  std::optional<double> tolerance_N;         ///< [N], > 0
};

inline void visit_keys(DocumentVisitor& v, SensorForce& c) {
  v.text({"sensor", "name of a mount, an attachment or a force sensor of a robot", "", true},
         c.sensor);
  v.choice({"axis", "of the world, or the norm"}, c.axis,
           Choices<ForcePart>{{"x", ForcePart::x},
                              {"y", ForcePart::y},
                              {"z", ForcePart::z},
                              {"norm", ForcePart::norm}});
  visit_window(v, c);
  v.real({"value_N", "force of the body on its mount or attachment, mean over the steps [N]", "",
          true},
         c.value_N, Range::any());
  visit_tolerance(v, c, "of |mean - value| by |value| [-]");
}

/// Checks the keys against each other and the scene. @param path  dotted path @throws ValueError
void validate(const SensorForce& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const SensorForce& check);

}  // namespace nodia
