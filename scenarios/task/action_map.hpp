/// Converts actions to targets of drives, frames and attachments.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/io/archive.hpp"
#include "scenarios/task/task.hpp"

namespace nodia {

/// One number of an action.
struct ActionComponent {
  std::string name;  ///< JOINT; FRAME.x, .y, .z, .rx, .ry, .rz; ATTACHMENT.hold; gripper
  std::string unit;  ///< rad, m, or empty
  double low = 0, high = 0;
};

/// Targets of everything that an action can move.
struct ActionTargets {
  std::vector<double> joints;  ///< targets of all joint drives of the robot [rad] or [m]
  std::vector<Pose> frames;    ///< targets of the frames of the action
  std::vector<char> holding;   ///< by ActionMap::attachments(): 1 if attached, 0 if released
};

/// Result of an action.
struct AppliedAction {
  ActionTargets targets;     ///< at the end of the control step
  std::vector<int> clipped;  ///< components that exceeded a bound, or whose target exceeded one
};

/// The action space of a task in a scene.
class ActionMap {
 public:
  /// @param scene  kept by reference
  /// @throws ValueError if the task's `action` breaks a rule, see validate()
  ActionMap(const TaskDescription& task, const Scene& scene);

  const std::vector<ActionComponent>& components() const { return components_; }
  int size() const { return static_cast<int>(components_.size()); }

  /// Index of the robot in the scene; -1 for the space `picker`.
  int robot() const { return robot_; }
  bool moves_joints() const { return !joints_.empty() || !gripper_.empty(); }
  /// Indices of the frames in the robot's pose_drives. Empty unless the space is `pose` or
  /// `pose_delta`.
  const std::vector<int>& pose_drives() const { return pose_drives_; }
  const std::vector<std::string>& frames() const { return frames_; }
  /// Attachments that actions attach and release: those of the frames, then those of the key
  /// `hold`.
  const std::vector<std::string>& attachments() const { return attachments_; }

  /// Converts an action to targets, clipped to the bounds.
  /// @param action  size() finite numbers
  /// @param now     targets at the start of the control step
  /// @param others  targets at its end. Those that no component moves stay
  AppliedAction apply(const double* action, const ActionTargets& now, ActionTargets others) const;

  /// Action that moves the targets from `now` to `wanted`, clipped to the bounds.
  std::vector<double> action_to(const ActionTargets& wanted, const ActionTargets& now) const;

  /// Targets at time 0, before the first action: those of the scene's paths. A drive without a path
  /// has the initial position of its joint or frame as its target.
  ActionTargets at_start() const { return start_; }
  /// Targets of the scene's paths at a time.
  ActionTargets of_paths(double time_s) const;

 private:
  struct Joint {
    std::size_t drive = 0;     ///< index in the robot's joint_drives
    double low = 0, high = 0;  ///< bounds of its target
  };

  void add_joints(const TaskDescription& task, const Scene& scene);
  void add_frames(const TaskDescription& task, const Scene& scene);
  void add_attachments(const TaskDescription& task, const Scene& scene);
  void add_attachment(const std::string& name);
  void add_gripper(const TaskDescription& task, const Scene& scene);
  void find_start();
  void require_joints_of_limits(const ActionDescription& action) const;
  bool is_delta() const {
    return space_ != ActionSpace::joint_position && space_ != ActionSpace::pose;
  }

  const Scene& scene_;
  ActionSpace space_;
  int robot_ = -1;
  std::vector<Joint> joints_, gripper_;
  std::vector<std::string> frames_;
  std::vector<int> pose_drives_;
  std::vector<std::string> attachments_;
  std::vector<char> can_hold_;  ///< by frame: 1 if it is an attachment that the action can release
  bool turns_ = false;
  std::optional<Vec3d> low_m_, high_m_;
  std::vector<ActionComponent> components_;
  ActionTargets start_;
};

}  // namespace nodia
