/// Commands the targets of one environment by the names of its scene.
#pragma once

#include <string>
#include <vector>

#include "host/simulation/targets.hpp"

namespace nodia {

/// A target that is not finite is rejected: it is a fault, with which the next step fails.
class TargetCommands {
 public:
  /// @param scene  kept by reference
  TargetCommands(const Scene& scene, const BodySystem& system);

  /// Attachments, mounts and obstacles hold references to members of these targets.
  Targets& targets() { return targets_; }
  const Targets& targets() const { return targets_; }

  /// Moves targets from their values at now_s to the given ones within reach_s > 0 [s].
  /// @param targets  one per joint drive of the robot [rad] or [m]
  /// @throws InputError for an unknown name, another number of targets, or a reach_s <= 0
  void set_joint_targets(const std::string& robot, const std::vector<double>& targets, double now_s,
                         double reach_s);
  /// @param drive  index among the robot's pose drives
  void set_pose_target(const std::string& robot, int drive, const Pose& target, double now_s,
                       double reach_s);
  /// @param name  an obstacle, or a mount or attachment along a path
  void set_frame_target(const std::string& name, const Pose& target, double now_s, double reach_s);

  /// Targets at now_s, one per joint drive [rad] or [m].
  std::vector<double> joint_targets(const std::string& robot, double now_s) const;
  Pose pose_target(const std::string& robot, int drive, double now_s) const;
  Pose frame_target(const std::string& name, double now_s) const;

  /// Why the next step cannot be solved; empty without a fault.
  const std::string& fault() const { return fault_; }
  void set_fault(std::string fault) { fault_ = std::move(fault); }
  void clear_fault() { fault_.clear(); }

 private:
  void command_pose(const std::string& what, const Pose& target, double now_s, double reach_s,
                    Path* path);

  const Scene& scene_;
  Targets targets_;
  std::string fault_;
};

}  // namespace nodia
