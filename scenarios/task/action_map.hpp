/// Actions and the targets that they stand for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/io/archive.hpp"
#include "scenarios/task/task.hpp"

namespace nodia {

/// One number of an action.
struct ActionComponent {
  std::string name;  ///< of the joint; FRAME.x, .y, .z, .rx, .ry, .rz; HOLDER.hold; gripper
  std::string unit;  ///< rad, m, or empty
  double low = 0, high = 0;
};

/// Where everything is wanted that an action can move.
struct ActionTargets {
  std::vector<double> joints;  ///< of all joint drives of the robot, in their order [rad] or [m]
  std::vector<Pose> frames;    ///< of the frames of the action, in their order
  std::vector<char> holding;   ///< of ActionMap::attachments(): whether they hold
};

/// What an action became.
struct AppliedAction {
  ActionTargets targets;     ///< at the end of the control step
  std::vector<int> clipped;  ///< components that were beyond a bound, or took a target beyond one
};

/// The action space of a task in a scene.
class ActionMap {
 public:
  /// @param scene  kept by reference
  /// @throws ValueError as validate() of the task
  ActionMap(const TaskDescription& task, const Scene& scene);

  const std::vector<ActionComponent>& components() const { return components_; }
  int size() const { return static_cast<int>(components_.size()); }

  /// Place of the robot in the scene; -1 of a task without one.
  int robot() const { return robot_; }
  bool moves_joints() const { return !joints_.empty() || !gripper_.empty(); }
  /// Of the pose spaces: the frames' places in the robot's pose_drives; empty of pickers.
  const std::vector<int>& pose_drives() const { return pose_drives_; }
  const std::vector<std::string>& frames() const { return frames_; }
  /// Attachments that actions attach and release: those of the frames, then those of the key
  /// `hold`.
  const std::vector<std::string>& attachments() const { return attachments_; }

  /// @param action  size() numbers, finite
  /// @param now     targets at the control step's start
  /// @param others  those at its end of what no component moves
  AppliedAction apply(const double* action, const ActionTargets& now, ActionTargets others) const;

  /// The action that goes from `now` to `wanted` as far as its bounds let it.
  std::vector<double> action_to(const ActionTargets& wanted, const ActionTargets& now) const;

  /// ActionTargets at time 0, where nothing was commanded: of the scene's paths, and without a path
  /// where what is driven stands.
  ActionTargets at_start() const { return start_; }
  /// Those at another time.
  ActionTargets of_paths(double time_s) const;

 private:
  struct Joint {
    std::size_t drive = 0;     ///< place in the robot's joint_drives
    double low = 0, high = 0;  ///< of its target
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
  std::vector<char> can_hold_;  ///< of the frames: whether it is the next of attachments_
  bool turns_ = false;
  std::optional<Vec3d> low_m_, high_m_;
  std::vector<ActionComponent> components_;
  ActionTargets start_;
};

}  // namespace nodia
