#include "tools/cli/robot_info.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "fem/robot/urdf.hpp"
#include "scenarios/build/document.hpp"
#include "scenarios/build/scenario.hpp"
#include "tools/command/print_json.hpp"

namespace nodia::cli {
namespace {

using Json = nlohmann::ordered_json;

double mass_of(const RobotDescription& robot) {
  double mass = 0;
  for (const RobotLink& link : robot.links) mass += link.inertia ? link.inertia->mass : 0;
  return mass;
}

bool moves(const RobotLink& link) {
  return link.parent >= 0 && link.joint.kind != JointKind::fixed;
}

Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json json_of(const RobotDescription& robot) {
  Json links = Json::array(), joints = Json::array();
  for (const RobotLink& link : robot.links) {
    links.push_back({{"name", link.name},
                     {"parent", link.parent < 0 ? Json() : Json(robot.links[link.parent].name)},
                     {"mass_kg", link.inertia ? link.inertia->mass : 0.0},
                     {"collision_shapes", link.collisions.size()}});
    if (!moves(link)) continue;
    const RobotJoint& joint = link.joint;
    joints.push_back(
        {{"name", joint.name},
         {"type", name_of(joint.kind)},
         {"link", link.name},
         {"lower", number_or_null(joint.lower)},
         {"upper", number_or_null(joint.upper)},
         {"max_effort", number_or_null(joint.max_effort)},
         {"max_velocity", number_or_null(joint.max_velocity)},
         {"mimics", joint.mimic ? Json(robot.links[joint.mimic->link].joint.name) : Json()},
         {"multiplier", joint.mimic ? Json(joint.mimic->multiplier) : Json()},
         {"offset", joint.mimic ? Json(joint.mimic->offset) : Json()}});
  }
  return {{"format", "nodia_info_robot"}, {"format_version", 1}, {"robot", robot.name},
          {"mass_kg", mass_of(robot)},    {"links", links},      {"joints", joints},
          {"warnings", robot.warnings}};
}

void print_joint(const RobotLink& link, const RobotDescription& robot) {
  const RobotJoint& joint = link.joint;
  std::string details;
  if (std::isfinite(joint.lower) || std::isfinite(joint.upper))
    details += fmt::format(" {:g} to {:g}", joint.lower, joint.upper);
  if (std::isfinite(joint.max_effort)) details += fmt::format(", effort {:g}", joint.max_effort);
  if (joint.mimic) details += fmt::format(", mimics {}", robot.links[joint.mimic->link].joint.name);
  fmt::print("  {:<28} {:<10} moves {}{}\n", joint.name, name_of(joint.kind), link.name, details);
}

void print_table(const RobotDescription& robot) {
  std::size_t n_shape = 0;
  for (const RobotLink& link : robot.links) n_shape += link.collisions.size();
  fmt::print("robot {}: {} links, {:.6g} kg, {} collision shapes\n", robot.name, robot.links.size(),
             mass_of(robot), n_shape);
  fmt::print("joints (limits and effort in rad, m, N m, N):\n");
  for (const RobotLink& link : robot.links)
    if (moves(link)) print_joint(link, robot);
  for (const std::string& warning : robot.warnings) fmt::print("warning: {}\n", warning);
}

}  // namespace

void print_robot(const std::string& path, const std::vector<std::string>& settings, bool as_json) {
  const std::string file = std::filesystem::absolute(path).string();
  const Json scenario = {{"name", "robot"}, {"robots", {{"robot", {{"urdf", file}}}}}};
  auto source = std::make_shared<YamlSource>();
  source->label = path;
  source->has_lines = false;
  const ScenarioDocument document =
      ScenarioSource(parse_yaml(scenario.dump(), source), settings).document();
  const RobotEntry& entry = document.robots.front();
  const RobotDescription robot =
      read_urdf(path, {UrdfMeshes::read, entry.repair, entry.collada_up_axis, document.packages});
  if (as_json)
    print_json(json_of(robot));
  else
    print_table(robot);
}

}  // namespace nodia::cli
