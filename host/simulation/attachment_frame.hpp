/// The frame that holds a body: a robot's link, another body, or a frame along a path.
#pragma once

#include <vector>

#include "host/scene/attachment_frame.hpp"
#include "host/simulation/body_system.hpp"
#include "host/simulation/targets.hpp"

namespace nodia {

/// Holding frame of a mount or attachment, with its names resolved.
class AttachmentFrame {
 public:
  /// @param target  kept by reference
  /// @param point   held point at t = 0, to which the nearest link of a cable is taken [m];
  ///                requires system.update_kinematics()
  AttachmentFrame(const AttachmentFrameDescription& description,
                  const AttachmentFrameTarget& target, Vec3d point, const BodySystem& system);

  bool on_robot() const { return robot_ >= 0; }
  bool on_body() const { return frame_ >= 0; }
  bool on_soft_body() const { return on_soft_body_; }  ///< it has no frame then
  bool is_along_path() const { return !on_robot() && !on_body() && !on_soft_body(); }
  int robot() const { return robot_; }           ///< -1: not a robot's link
  std::int32_t frame() const { return frame_; }  ///< of the other body in State::frames, or -1
  int link() const { return link_; }
  const Path& path() const { return target_->path; }
  /// True if it holds its body in a step that starts at this time.
  bool holds(double time_s) const {
    return target_->holds.value_or(release_time_s_ < 0 || time_s < release_time_s_);
  }

  /// Pose of the frame; of a link or body in the state of the last update_kinematics(), for any
  /// time.
  Pose pose(double time_s, const BodySystem& system) const;
  /// Pose at the moment of attachment: first pose of the path, or pose of the link or body.
  Pose first_pose(const BodySystem& system) const;
  /// Motion of the frame over a step, from the path or from the velocities of all rows.
  /// @param v_hat  may be null for a path
  FrameTwist twist(double time_s, double step_s, const Vec3d* v_hat,
                   const BodySystem& system) const;

  /// First of the rows that move it; a path has none.
  std::int32_t first_row() const { return first_row_; }
  /// Jacobians of a point on the frame and of its rotation, one block per row; empty for a path.
  void jacobians(Vec3d point, const BodySystem& system, std::vector<Mat3d>* linear,
                 std::vector<Mat3d>* angular) const;
  /// Couples the rows of the frame with `row`, which belongs to the held body.
  void add_couplings(std::int32_t row, Couplings* couplings) const;

 private:
  const AttachmentFrameTarget* target_;
  double release_time_s_ = -1;
  int robot_ = -1, link_ = -1;
  std::int32_t frame_ = -1;
  bool on_soft_body_ = false;
  std::int32_t first_row_ = 0, n_row_ = 0;
};

}  // namespace nodia
