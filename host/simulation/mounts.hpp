/// Mounts of one environment: elastic joints between two bodies, or bodies and holding frames, and
/// their sensors.
#pragma once

#include <vector>

#include "host/simulation/attachment_frame.hpp"
#include "host/simulation/spring_row.hpp"

namespace nodia {

class Mounts {
 public:
  Mounts() = default;
  /// Adds the mounts along paths and between bodies to the model of the frames.
  /// @param system   its models must keep their addresses
  /// @param targets  targets of the mounts, kept by reference
  Mounts(const Scene& scene, const std::vector<AttachmentFrameTarget>& targets, BodySystem* system);

  /// Pairs of rows that mounts on robots couple.
  Couplings couplings(const BodySystem& system) const;
  /// Sets the holding frames for the step that starts at `state`.
  void prepare(const State& state, const BodySystem& system);
  /// Adds the mounts on robots to A and b; requires system.assemble().
  void add_to_system(double* value, Vec3d* b) const;
  /// Mean wrench of every mount over the step on its holding frame; zero if it is released.
  void measure(const State& start, const Vec3d* v_hat, std::vector<Wrench>* sensors) const;
  /// Moves the holding frames along paths to the end of the step, for the energies of their joints.
  void move_to_end(double end_s, const BodySystem& system);
  /// Work of moving frames, robots excepted, on the held bodies in the step [J].
  /// @param sensors  mean wrenches of all mounts: measure()
  double work_J(const std::vector<Wrench>& sensors) const;
  /// True if a robot's link holds a body.
  bool has_robots() const;
  /// Adds the mean loads of the held bodies on robots' links over the step.
  void add_link_loads(const Vec3d* v_hat, std::vector<LinkLoad>* loads) const;
  /// Same from the mean loads of the frames' joints.
  void measure(double begin_s, const std::vector<JointLoad>& joint_loads,
               std::vector<Wrench>* sensors) const;
  /// Elastic energy of the mounts on robots [J]. The system counts the others.
  double robot_mount_energy() const;

 private:
  struct Mount {
    explicit Mount(const AttachmentFrame& own_frame) : attachment_frame(own_frame) {}

    AttachmentFrame attachment_frame;
    std::int32_t frame = 0;  ///< held frame
    bool attachment_frame_is_i = true;
    FrameJoint joint;
    std::int32_t joint_index = -1;  ///< joint in the model of the frames; -1: on a robot
    std::int32_t prescribed = -1;   ///< frame along a path; -1: none
    // Values of the current step.
    bool holds = false;
    FrameTwist motion;  ///< mean motion of a frame along a path, at the point of its wrench
    // Values of the current step, for mounts on robots.
    SpringRow row[6];
    std::vector<std::int32_t> block;  ///< SpringRow::find_blocks() of each row
    JointRows geometry;
    Wrench on_link[6];  ///< per unit of a row's force, torque about the origin of the link's frame
    Vec3d link_origin{};
  };

  void set_rows(const State& state, const BodySystem& system, Mount* mount) const;

  std::vector<Mount> mounts_;
  Frames* frames_ = nullptr;
  TimeOptions time_;
};

}  // namespace nodia
