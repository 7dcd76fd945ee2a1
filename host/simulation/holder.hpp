/// What holds a body in a simulation: a robot's link, or a frame along a path.
#pragma once

#include <vector>

#include "host/scene/holder.hpp"
#include "host/simulation/body_system.hpp"
#include "host/simulation/targets.hpp"

namespace nodia {

/// A holder whose names are resolved, shared by mounts and attachments.
class Holder {
 public:
  /// @param target  kept by reference
  Holder(const HolderDescription& description, const HolderTarget& target,
         const BodySystem& system);

  bool on_robot() const { return robot_ >= 0; }
  int robot() const { return robot_; }  ///< -1: along a path
  int link() const { return link_; }
  const Path& path() const { return target_->path; }
  /// In a step that starts at this time.
  bool holds(double time_s) const {
    return target_->holds.value_or(release_time_s_ < 0 || time_s < release_time_s_);
  }

  /// Of its frame; of a link in the state of the last update_kinematics(), whatever the time.
  Pose pose(double time_s, const BodySystem& system) const;
  /// At which it takes hold: the first of its path, or its link's.
  Pose first_pose(const BodySystem& system) const;
  /// Of its frame over a step: by the path, or by the velocities of all rows.
  /// @param v_hat  may be null for one along a path
  FrameTwist twist(double time_s, double step_s, const Vec3d* v_hat,
                   const BodySystem& system) const;

  /// First of the rows that move it; none along a path.
  std::int32_t first_row() const { return first_row_; }
  /// Of a point on it and of its turning, a block for each of its rows; both empty along a path.
  void jacobians(Vec3d point, const BodySystem& system, std::vector<Mat3d>* linear,
                 std::vector<Mat3d>* angular) const;
  /// Of its rows with `row`, which it holds.
  void add_couplings(std::int32_t row, Couplings* couplings) const;

 private:
  const HolderTarget* target_;
  double release_time_s_ = -1;
  int robot_ = -1, link_ = -1;
  std::int32_t first_row_ = 0, n_row_ = 0;
};

}  // namespace nodia
