#include "scenarios/task/action_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "fem/robot/robot_model.hpp"
#include "host/scene/rules.hpp"
#include "host/simulation/targets.hpp"
#include "kernels/core/rotation.hpp"
#include "kernels/core/value_error.hpp"
#include "scenarios/format/yaml_path.hpp"

namespace nodia {
namespace {

constexpr const char* kAxes[] = {"x", "y", "z"};
const std::string kAction = "task.action.";

[[noreturn]] void throw_missing(const std::string& key, const std::string& why) {
  throw ValueError(kAction + key, fmt::format("{}{} is missing ({})", kAction, key, why));
}

void require_left_out(bool given, const std::string& key, const std::string& why) {
  if (given)
    throw ValueError(kAction + key, fmt::format("{}{} (must be left out; {})", kAction, key, why));
}

std::string member(const std::string& key, const std::vector<std::string>& names, std::size_t k) {
  return path_of_text(kAction + key, names.size(), k);
}

void require_names(const std::string& key, const std::vector<std::string>& names,
                   const std::vector<std::string>& known, const char* what) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    require_known(member(key, names, k), names[k], known, what);
    if (std::count(names.begin(), names.end(), names[k]) > 1)
      throw ValueError(member(key, names, k), names[k], "named once", "");
  }
}

std::vector<std::string> driven_joints(const RobotSceneDescription& robot) {
  std::vector<std::string> joints;
  for (const JointDriveDescription& drive : robot.joint_drives) joints.push_back(drive.joint);
  return joints;
}

/// Every name must be a joint with a drive. A joint without a drive has a message of its own.
void require_driven(const std::string& key, const std::vector<std::string>& names,
                    const RobotSceneDescription& robot) {
  constexpr const char* kDriven = "a joint with a drive";
  const std::vector<std::string> driven = driven_joints(robot);
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (std::count(driven.begin(), driven.end(), names[k]) > 0) continue;
    const std::string where = member(key, names, k);
    const RobotModel model(robot.robot, robot.base);
    std::vector<std::string> joints;
    for (const RobotCoordinate& c : model.coordinates()) joints.push_back(c.joint);
    require_known(where, names[k], joints, kDriven);
    throw ValueError(
        where, fmt::format("{} = {} (must have a drive; add robots.{}.joint_drives.{})", where,
                           names[k], robot.name, names[k]));
  }
  require_names(key, names, driven, kDriven);
}

const double* find(const std::vector<NamedNumber>& numbers, const std::string& name) {
  for (const NamedNumber& number : numbers)
    if (number.name == name) return &number.value;
  return nullptr;
}

std::vector<std::string> names_along_paths(const Scene& scene) {
  std::vector<std::string> names = names_of(scene.obstacles);
  const auto add = [&](const auto& all_attached) {
    for (const auto& attached : all_attached)
      if (attached.is_along_path()) names.push_back(attached.name);
  };
  add(scene.mounts);
  add(scene.attachments);
  return names;
}

const Path& path_of_frame(const Scene& scene, const std::string& name) {
  if (const int k = index_of(scene.obstacles, name); k >= 0)
    return scene.obstacles[static_cast<std::size_t>(k)].path;
  if (const int k = index_of(scene.mounts, name); k >= 0)
    return scene.mounts[static_cast<std::size_t>(k)].path;
  return scene.attachments[static_cast<std::size_t>(index_of(scene.attachments, name))].path;
}

/// Clips a value to [low, high]. NaN stays NaN.
/// @param beyond  in and out: set if the value was outside
double clipped(double value, double low, double high, bool* beyond) {
  *beyond = *beyond || value < low || value > high;
  return std::clamp(value, low, high);
}

Mat3d turned_by(Vec3d turn, const Mat3d& rotation) {
  return rotation_matrix(normalized(quaternion_exp(turn) * quaternion_from_rotation(rotation)));
}

}  // namespace

ActionMap::ActionMap(const TaskDescription& task, const Scene& scene)
    : scene_(scene), space_(task.action.space) {
  const ActionDescription& action = task.action;
  if (space_ == ActionSpace::picker) {
    require_left_out(!action.robot.empty(), "robot", "picker moves frames");
  } else {
    const std::vector<std::string> robots = names_of(scene.robots);
    if (!action.robot.empty())
      require_known(kAction + "robot", action.robot, robots, "the name of a robot");
    else if (robots.size() != 1)
      throw_missing("robot", robots.empty() ? "the scene has no robot; picker needs none"
                                            : fmt::format("one of {}", fmt::join(robots, ", ")));
    robot_ = action.robot.empty() ? 0 : index_of(scene.robots, action.robot);
  }
  const bool by_joints =
      space_ == ActionSpace::joint_position || space_ == ActionSpace::joint_delta;
  if (by_joints)
    add_joints(task, scene);
  else
    add_frames(task, scene);
  add_attachments(task, scene);
  add_gripper(task, scene);
  require_joints_of_limits(action);
  find_start();
}

/// The keys `low` and `high` may only name joints that the action moves.
void ActionMap::require_joints_of_limits(const ActionDescription& action) const {
  std::vector<std::string> moved = action.gripper;
  for (std::size_t k = 0; k < joints_.size(); ++k) moved.push_back(components_[k].name);
  for (const auto& [key, numbers] :
       {std::pair("low", &action.low), std::pair("high", &action.high)}) {
    require_left_out(moved.empty() && !numbers->empty(), key, "no joint is moved");
    for (const NamedNumber& number : *numbers)
      require_known(fmt::format("{}{}.{}", kAction, key, number.name), number.name, moved,
                    "a joint of the action");
  }
}

void ActionMap::add_joints(const TaskDescription& task, const Scene& scene) {
  const ActionDescription& action = task.action;
  require_left_out(!action.frame.empty(), "frame", "of the pose spaces and picker");
  require_left_out(action.low_m.has_value(), "low_m", "of frames; joints have low");
  require_left_out(action.high_m.has_value(), "high_m", "of frames; joints have high");
  if (space_ == ActionSpace::joint_position) {
    require_left_out(action.bounds_m.has_value(), "bounds_m", "joint_position has low and high");
    require_left_out(action.bounds_rad.has_value(), "bounds_rad",
                     "joint_position has low and high");
  }
  const RobotSceneDescription& robot = scene.robots[static_cast<std::size_t>(robot_)];
  const std::vector<std::string> driven = driven_joints(robot);
  require_driven("joints", action.joints, robot);
  require_driven("gripper", action.gripper, robot);
  std::vector<std::string> joints = action.joints;
  const auto in_gripper = [&](const std::string& joint) {
    return std::count(action.gripper.begin(), action.gripper.end(), joint) > 0;
  };
  if (joints.empty())
    std::copy_if(driven.begin(), driven.end(), std::back_inserter(joints),
                 [&](const std::string& joint) { return !in_gripper(joint); });
  for (const std::string& joint : joints)
    if (in_gripper(joint)) throw ValueError(kAction + "gripper", joint, "no joint of joints", "");
  if (joints.empty() && action.gripper.empty())
    throw ValueError(kAction + "robot", robot.name, "a robot with joint_drives", "");

  const RobotModel model(robot.robot, robot.base);
  bool slides = false, turns = false;
  for (const std::string& name : joints) {
    const auto drive =
        static_cast<std::size_t>(std::find(driven.begin(), driven.end(), name) - driven.begin());
    const RobotCoordinate& c =
        model.coordinates()[static_cast<std::size_t>(model.find_coordinate(name))];
    const double* low = find(action.low, name);
    const double* high = find(action.high, name);
    const Joint joint{drive, low ? *low : c.lower, high ? *high : c.upper};
    if (!(joint.low < joint.high))
      throw ValueError(fmt::format("{}{}.{}", kAction, low ? "low" : "high", name),
                       fmt::format("{:g}", low ? joint.low : joint.high),
                       low ? fmt::format("< {:g}", joint.high) : fmt::format("> {:g}", joint.low),
                       "");
    ActionComponent component{name, c.slides ? "m" : "rad", joint.low, joint.high};
    if (space_ == ActionSpace::joint_delta) {
      const std::optional<double>& bound = c.slides ? action.bounds_m : action.bounds_rad;
      if (!bound) throw_missing(c.slides ? "bounds_m" : "bounds_rad", name + " needs it");
      component.low = -*bound;
      component.high = *bound;
    } else if (!std::isfinite(joint.low) || !std::isfinite(joint.high)) {
      throw_missing(fmt::format("{}.{}", std::isfinite(joint.low) ? "high" : "low", name),
                    "the joint has no limit");
    }
    (c.slides ? slides : turns) = true;
    joints_.push_back(joint);
    components_.push_back(std::move(component));
  }
  require_left_out(action.bounds_m.has_value() && !slides, "bounds_m", "no joint slides");
  require_left_out(action.bounds_rad.has_value() && !turns, "bounds_rad", "no joint turns");
}

void ActionMap::add_frames(const TaskDescription& task, const Scene& scene) {
  const ActionDescription& action = task.action;
  require_left_out(!action.joints.empty(), "joints", "of the joint spaces");
  if (action.frame.empty()) throw_missing("frame", "what moves");
  const bool picker = space_ == ActionSpace::picker;
  if (picker) {
    require_names("frame", action.frame, names_along_paths(scene),
                  "an obstacle, or a mount or attachment along a path");
    require_left_out(action.bounds_rad.has_value(), "bounds_rad", "picker does not turn");
  } else {
    const auto& drives = scene.robots[static_cast<std::size_t>(robot_)].pose_drives;
    require_names("frame", action.frame, names_of(drives), "a pose drive of the robot");
    turns_ = action.bounds_rad.has_value();
    for (std::size_t k = 0; k < action.frame.size(); ++k) {
      pose_drives_.push_back(index_of(drives, action.frame[k]));
      if (turns_ && drives[static_cast<std::size_t>(pose_drives_.back())].stiffness_Nm_rad <= 0)
        throw ValueError(member("frame", action.frame, k), action.frame[k],
                         "a drive with stiffness_Nm_rad where bounds_rad lets it turn", "");
    }
  }
  frames_ = action.frame;
  low_m_ = action.low_m;
  high_m_ = action.high_m;
  for (int axis = 0; axis < 3; ++axis)
    if (low_m_ && high_m_ && !((*low_m_)[axis] < (*high_m_)[axis]))
      throw ValueError(fmt::format("{}low_m.{}", kAction, axis),
                       fmt::format("{:g}", (*low_m_)[axis]),
                       fmt::format("< high_m = {:g}", (*high_m_)[axis]), "");
  if (is_delta()) {
    if (!action.bounds_m) throw_missing("bounds_m", "of a control step");
  } else {
    require_left_out(action.bounds_m.has_value(), "bounds_m", "pose has low_m and high_m");
    if (!low_m_) throw_missing("low_m", "least position of a target");
    if (!high_m_) throw_missing("high_m", "largest position of a target");
  }
  for (const std::string& frame : frames_) {
    can_hold_.push_back(picker && index_of(scene.attachments, frame) >= 0 ? 1 : 0);
    for (int axis = 0; axis < 3; ++axis)
      components_.push_back({frame + "." + kAxes[axis], "m",
                             is_delta() ? -*action.bounds_m : (*low_m_)[axis],
                             is_delta() ? *action.bounds_m : (*high_m_)[axis]});
    for (int axis = 0; turns_ && axis < 3; ++axis)
      components_.push_back(
          {frame + ".r" + kAxes[axis], "rad", -*action.bounds_rad, *action.bounds_rad});
    if (can_hold_.back()) add_attachment(frame);
  }
}

void ActionMap::add_attachment(const std::string& name) {
  attachments_.push_back(name);
  components_.push_back({name + ".hold", "", 0, 1});
}

/// Adds the components of the key `hold` after those of the frames.
void ActionMap::add_attachments(const TaskDescription& task, const Scene& scene) {
  const std::vector<std::string>& hold = task.action.hold;
  require_names("hold", hold, names_of(scene.attachments), "the name of an attachment");
  for (std::size_t k = 0; k < hold.size(); ++k)
    if (std::count(attachments_.begin(), attachments_.end(), hold[k]) > 0)
      throw ValueError(member("hold", hold, k), hold[k], "no frame, which holds by itself", "");
  for (const std::string& name : hold) add_attachment(name);
}

void ActionMap::add_gripper(const TaskDescription& task, const Scene& scene) {
  const ActionDescription& action = task.action;
  if (action.gripper.empty()) return;
  require_left_out(robot_ < 0, "gripper", "of robots");
  const RobotSceneDescription& robot = scene.robots[static_cast<std::size_t>(robot_)];
  const std::vector<std::string> driven = driven_joints(robot);
  require_driven("gripper", action.gripper, robot);
  const RobotModel model(robot.robot, robot.base);
  ActionComponent component{"gripper", "", -HUGE_VAL, HUGE_VAL};
  for (std::size_t k = 0; k < action.gripper.size(); ++k) {
    const std::string& name = action.gripper[k];
    const RobotCoordinate& c =
        model.coordinates()[static_cast<std::size_t>(model.find_coordinate(name))];
    const std::string unit = c.slides ? "m" : "rad";
    if (!component.unit.empty() && component.unit != unit)
      throw ValueError(member("gripper", action.gripper, k), name,
                       "joints that all slide or all turn", "");
    component.unit = unit;
    const double* low = find(action.low, name);
    const double* high = find(action.high, name);
    component.low = std::max(component.low, low ? *low : c.lower);
    component.high = std::min(component.high, high ? *high : c.upper);
    gripper_.push_back(
        {static_cast<std::size_t>(std::find(driven.begin(), driven.end(), name) - driven.begin()),
         0, 0});
  }
  if (!std::isfinite(component.low) || !std::isfinite(component.high))
    throw_missing(
        fmt::format("{}.{}", std::isfinite(component.low) ? "high" : "low", action.gripper.front()),
        "the joint has no limit");
  if (!(component.low < component.high))
    throw ValueError(kAction + "gripper", action.gripper.front(),
                     fmt::format("joints with room to move (least {:g}, largest {:g})",
                                 component.low, component.high),
                     "");
  for (Joint& joint : gripper_) {
    joint.low = component.low;
    joint.high = component.high;
  }
  components_.push_back(std::move(component));
}

AppliedAction ActionMap::apply(const double* action, const ActionTargets& now,
                               ActionTargets others) const {
  AppliedAction applied{std::move(others), {}};
  ActionTargets& targets = applied.targets;
  int k = 0;
  // Returns the next component, clipped to its bounds.
  const auto next = [&](bool* beyond) {
    const ActionComponent& c = components_[static_cast<std::size_t>(k)];
    return clipped(action[k++], c.low, c.high, beyond);
  };
  const auto note = [&](bool beyond) {
    if (beyond) applied.clipped.push_back(k - 1);
  };
  for (const Joint& joint : joints_) {
    bool beyond = false;
    const double value = next(&beyond);
    targets.joints[joint.drive] = clipped(is_delta() ? now.joints[joint.drive] + value : value,
                                          joint.low, joint.high, &beyond);
    note(beyond);
  }
  std::size_t attached = 0;
  const auto hold = [&] {
    bool beyond = false;
    targets.holding[attached++] = next(&beyond) > 0.5 ? 1 : 0;
    note(beyond);
  };
  for (std::size_t f = 0; f < frames_.size(); ++f) {
    targets.frames[f] = now.frames[f];
    Pose& pose = targets.frames[f];
    for (int axis = 0; axis < 3; ++axis) {
      bool beyond = false;
      const double value = next(&beyond);
      pose.position[axis] = clipped(is_delta() ? pose.position[axis] + value : value,
                                    low_m_ ? (*low_m_)[axis] : -HUGE_VAL,
                                    high_m_ ? (*high_m_)[axis] : HUGE_VAL, &beyond);
      note(beyond);
    }
    if (turns_) {
      Vec3d turn{};
      for (int axis = 0; axis < 3; ++axis) {
        bool beyond = false;
        turn[axis] = next(&beyond);
        note(beyond);
      }
      pose.rotation = turned_by(turn, is_delta() ? pose.rotation : start_.frames[f].rotation);
    }
    if (can_hold_[f]) hold();
  }
  while (attached < attachments_.size()) hold();
  if (!gripper_.empty()) {
    bool beyond = false;
    const double value = next(&beyond);
    for (const Joint& joint : gripper_) targets.joints[joint.drive] = value;
    note(beyond);
  }
  return applied;
}

std::vector<double> ActionMap::action_to(const ActionTargets& wanted,
                                         const ActionTargets& now) const {
  std::vector<double> action;
  std::size_t attached = 0;
  for (const Joint& joint : joints_)
    action.push_back(wanted.joints[joint.drive] - (is_delta() ? now.joints[joint.drive] : 0));
  for (std::size_t f = 0; f < frames_.size(); ++f) {
    const Pose& from = is_delta() ? now.frames[f] : start_.frames[f];
    const Vec3d origin = is_delta() ? from.position : Vec3d{};
    for (int axis = 0; axis < 3; ++axis)
      action.push_back(wanted.frames[f].position[axis] - origin[axis]);
    if (turns_) {
      const Vec3d turn = rotation_log(wanted.frames[f].rotation * transpose(from.rotation));
      for (int axis = 0; axis < 3; ++axis) action.push_back(turn[axis]);
    }
    if (can_hold_[f]) action.push_back(wanted.holding[attached++] ? 1 : 0);
  }
  while (attached < attachments_.size()) action.push_back(wanted.holding[attached++] ? 1 : 0);
  if (!gripper_.empty()) action.push_back(wanted.joints[gripper_.front().drive]);
  for (std::size_t k = 0; k < action.size(); ++k)
    action[k] = std::clamp(action[k], components_[k].low, components_[k].high);
  return action;
}

void ActionMap::find_start() {
  start_.joints.clear();
  if (robot_ >= 0) {
    const RobotSceneDescription& robot = scene_.robots[static_cast<std::size_t>(robot_)];
    RobotModel model(robot.robot, robot.base);
    const std::vector<double> q = start_coordinates(robot, model);
    for (const JointDriveDescription& drive : robot.joint_drives)
      start_.joints.push_back(q[static_cast<std::size_t>(model.find_coordinate(drive.joint))]);
    model.update_kinematics(q.data());
    for (const int k : pose_drives_) {
      const PoseDriveDescription& drive = robot.pose_drives[static_cast<std::size_t>(k)];
      const Pose& link =
          model.link_poses()[static_cast<std::size_t>(model.description().find_link(drive.link))];
      start_.frames.push_back(
          {link.to_world(drive.frame.position), link.rotation * drive.frame.rotation});
    }
  }
  start_.frames.resize(frames_.size());
  start_.holding.assign(attachments_.size(), 1);
  start_ = of_paths(0);
}

ActionTargets ActionMap::of_paths(double time_s) const {
  ActionTargets targets = start_;
  for (std::size_t k = 0; k < targets.joints.size(); ++k) {
    const JointDriveDescription& drive =
        scene_.robots[static_cast<std::size_t>(robot_)].joint_drives[k];
    if (!drive.path.empty()) targets.joints[k] = JointTarget{drive.path, drive.profile}.at(time_s);
  }
  for (std::size_t f = 0; f < frames_.size(); ++f) {
    const Path& path = pose_drives_.empty()
                           ? path_of_frame(scene_, frames_[f])
                           : scene_.robots[static_cast<std::size_t>(robot_)]
                                 .pose_drives[static_cast<std::size_t>(pose_drives_[f])]
                                 .path;
    if (pose_drives_.empty() || !path.keys.empty()) targets.frames[f] = path.at(time_s);
  }
  for (std::size_t h = 0; h < attachments_.size(); ++h) {
    const int attachment = index_of(scene_.attachments, attachments_[h]);
    const double release_s =
        scene_.attachments[static_cast<std::size_t>(attachment)].release_time_s;
    // Half a step allows for rounding of the time.
    targets.holding[h] = release_s < 0 || time_s <= release_s + scene_.time.step_s / 2 ? 1 : 0;
  }
  return targets;
}

}  // namespace nodia
