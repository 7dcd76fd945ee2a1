#include "scenarios/build/check_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/error.hpp"
#include "scenarios/build/references.hpp"

namespace nodia {
namespace {

void require_window(const YamlNode& root, const std::string& path, const ScenarioDocument& document,
                    double from_s, double to_s) {
  const std::string where = path + ".to_s";
  if (!(to_s > from_s)) {
    refuse_value(nearest_node(root, where), where, fmt::format("> from_s = {}", from_s), "");
  }
  if (to_s - from_s < document.time.step_s) {
    refuse_value(nearest_node(root, where), where,
                 fmt::format("at least a step ({} s) behind from_s", document.time.step_s), "");
  }
}

/// Rules between the keys of checks.
struct CheckRules {
  const YamlNode& root;
  const ScenarioDocument& document;
  std::string path;

  void operator()(const WeightOnObstacle& check) const {
    require_known(root, path + ".obstacle", check.obstacle, names_of(document.obstacles),
                  "the name of an obstacle");
    require_window(root, path, document, check.from_s, check.to_s);
    if (squared_norm(document.gravity_m_s2) == 0) {
      refuse_value(nearest_node(root, path + ".check"), path + ".check",
                   "used with gravity_m_s2 other than zero", "leave the check out");
    }
  }
  /// A kind without such rules.
  template <class Check>
  void operator()(const Check&) const {}
  void operator()(const EnergyNonIncreasing& check) const {
    require_window(root, path, document, check.from_s, check.to_s);
  }
  void operator()(const NodePosition& check) const {
    require_known(root, path + ".body", check.body, names_of(document.bodies),
                  "the name of a body");
    require_either(check.above_m, check.below_m, "above_m", "below_m");
  }
  void operator()(const SticksAndSlips& check) const {
    require_window(root, path, document, check.from_s, check.to_s);
  }
  void operator()(const ReferenceCsv& check) const {
    require_sensor(check.sensor);
    if (check.cable.empty() ? document.cables.size() != 1 : true) {
      require_known(root, path + ".cable", check.cable, names_of(document.cables),
                    "the name of a cable");
    }
    require_either(check.force_rms_bound_N, check.position_bound_m, "force_rms_bound_N",
                   "position_bound_m");
  }
  void operator()(const BodyPosition& check) const {
    require_known(root, path + ".body", check.body,
                  names_in(document.rigid_bodies, document.cables),
                  "the name of a rigid body or a cable");
    const auto cables = names_of(document.cables);
    if (check.at != MountPoint::body &&
        std::find(cables.begin(), cables.end(), check.body) == cables.end()) {
      refuse_value(nearest_node(root, path + ".at"), path + ".at", "body for a rigid body", "");
    }
    require_either(check.above_m, check.below_m, "above_m", "below_m");
  }
  void operator()(const SensorForce& check) const {
    require_sensor(check.sensor);
    require_window(root, path, document, check.from_s, check.to_s);
    require_one_tolerance(check);
    if (check.relative_tolerance && check.value_N == 0) {
      refuse_value(nearest_node(root, path + ".relative_tolerance"), path + ".relative_tolerance",
                   "used with value_N other than zero", "give tolerance_N");
    }
  }
  void operator()(const ContactForce& check) const {
    const auto objects = names_in(document.bodies, document.rigid_bodies, document.cables,
                                  document.robots, document.obstacles);
    require_known(root, path + ".on", check.on, objects, "the name of an object");
    if (!check.by.empty())
      require_known(root, path + ".by", check.by, objects, "the name of an object");
    require_window(root, path, document, check.from_s, check.to_s);
    require_one_tolerance(check);
    if (check.relative_tolerance && check.value_N == 0) {
      refuse_value(nearest_node(root, path + ".relative_tolerance"), path + ".relative_tolerance",
                   "used with value_N other than zero", "give tolerance_N");
    }
  }
  void operator()(const ForceBalance& check) const {
    require_window(root, path, document, check.from_s, check.to_s);
    require_one_tolerance(check);
  }
  void operator()(const Drift& check) const {
    require_known(root, path + ".body", check.body,
                  names_in(document.bodies, document.rigid_bodies, document.cables),
                  "the name of a soft body, a rigid body or a cable");
    require_window(root, path, document, check.from_s, check.to_s);
    if (check.to_s - check.from_s < 2 * document.time.step_s) {
      refuse_value(nearest_node(root, path + ".to_s"), path + ".to_s",
                   "at least two steps behind from_s", "");
    }
  }

 private:
  void require_sensor(const std::string& sensor) const {
    std::vector<std::string> names = names_in(document.mounts, document.attachments);
    for (const RobotEntry& robot : document.robots)
      for (const ForceSensorEntry& own : robot.force_sensors) names.push_back(own.name);
    require_known(root, path + ".sensor", sensor, names,
                  "the name of a mount, an attachment or a force sensor");
  }
  template <class T>
  void require_either(const std::optional<T>& a, const std::optional<T>& b, const char* a_name,
                      const char* b_name) const {
    if (a || b) return;
    throw InputError(fmt::format("{}: {} (must have {} or {})", location(nearest_node(root, path)),
                                 path, a_name, b_name));
  }
  template <class Check>
  void require_one_tolerance(const Check& check) const {
    if (check.relative_tolerance.has_value() != check.tolerance_N.has_value()) return;
    throw InputError(
        fmt::format("{}: {} (must have relative_tolerance or tolerance_N, one of them)",
                    location(nearest_node(root, path)), path));
  }
};

}  // namespace

void require_good_check(const YamlNode& root, const ScenarioDocument& document,
                        const CheckDescription& check) {
  std::visit(CheckRules{root, document, "checks." + check.name}, check.kind);
}

}  // namespace nodia
