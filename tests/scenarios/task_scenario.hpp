/// A scenario with everything that an action can move, and as little else as possible.
#pragma once

#include <string>

#include "tests/scenarios/scenario_files.hpp"
#include "tests/support/source_file.hpp"

namespace nodia::test {

/// A gripper above a block of eight nodes on a floor; a plate and a grip along paths. 100 steps.
/// @param task  the keys of the task's block, as YAML in braces
inline std::string task_scenario(const std::string& task) {
  return R"(name: small_task
time: {step_s: 0.01, duration_s: 1}
bodies:
  block:
    mesh: {box: {size_m: [0.04, 0.04, 0.04], cells: [1, 1, 1]}}
    position_m: [0.3, 0, 0]
    youngs_modulus_Pa: 1e5
    rayleigh_stiffness_s: 0.01
    friction: 0.5
robots:
  arm:
    urdf: )" +
         source_file("scenarios/assets/free_gripper/free_gripper_two_drives.urdf") +
         R"(
    position_m: [0, 0, 0.5]
    q: {base_z: 0.1, finger_left: 0.05, finger_right: 0.05}
    force_sensors: {wrist: {link: palm}}
    joint_drives:
      base_x: {stiffness: 5000, damping: 200, path: [{time_s: 0, target: 0}, {time_s: 1, target: 0.1}]}
      base_yaw: {stiffness: 200, damping: 10}
      finger_left: {stiffness: 2000, damping: 50}
      finger_right: {stiffness: 2000, damping: 50}
    pose_drives:
      hand: {link: palm, stiffness_N_m: 2000, damping_N_s_m: 100, stiffness_Nm_rad: 20, damping_Nms_rad: 2, path: [{time_s: 0}, {time_s: 1, position_m: [0, 0.1, 0.6]}]}
      soft: {link: tool, stiffness_N_m: 1}
obstacles:
  floor: {shape: half_space}
  plate: {shape: box, size_m: [0.1, 0.1, 0.02], position_m: [1, 0, 0.2], path: [{time_s: 0, position_m: [1, 0, 0.2]}, {time_s: 1, position_m: [1, 0, 0.3]}]}
attachments:
  grip: {body: block, node_set: z_max, position_m: [0.32, 0.02, 0.04], stiffness_N_m: 500}
task: )" +
         task + "\n";
}

inline Scenario load_task(const std::string& task) {
  return load_scenario(ScenarioFile(task_scenario(task)).path());
}

/// The loader's message about a task; empty where it accepts.
inline std::string task_message(const std::string& task) {
  return message(task_scenario(task));
}

}  // namespace nodia::test
