/// The frame that holds a body: a robot's link, or a frame along a path.
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
  AttachmentFrame(const AttachmentFrameDescription& description,
                  const AttachmentFrameTarget& target, const BodySystem& system);

  bool on_robot() const { return robot_ >= 0; }
  int robot() const { return robot_; }  ///< -1: along a path
  int link() const { return link_; }
  const Path& path() const { return target_->path; }
  /// True if it holds its body in a step that starts at this time.
  bool holds(double time_s) const {
    return target_->holds.value_or(release_time_s_ < 0 || time_s < release_time_s_);
  }

  /// Pose of the frame; for a link in the state of the last update_kinematics(), for any time.
  Pose pose(double time_s, const BodySystem& system) const;
  /// Pose at the moment of attachment: first pose of the path, or pose of the link.
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
  std::int32_t first_row_ = 0, n_row_ = 0;
};

}  // namespace nodia
