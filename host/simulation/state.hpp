/// State of one environment and its layout.
#pragma once

#include <cstdint>
#include <vector>

#include "host/problem/topology.hpp"
#include "host/scene/scene.hpp"
#include "kernels/elements/frame_joint.hpp"

namespace nodia {

/// Bodies are ordered by their numbers; BodyLayout has the position of each.
struct State {
  std::vector<Vec3d> x;           ///< positions of nodes [m]
  std::vector<FramePose> frames;  ///< at the centres of mass; cable links from rear to front
  std::vector<double> q;          ///< coordinates of robots [rad] or [m]
  /// Velocities of the rows of A: every node [m/s]; every frame, linear and angular in world axes
  /// [m/s, rad/s]; three coordinates per row for every robot.
  std::vector<Vec3d> v;
  double time_s = 0;
  int step = 0;
};

/// Range of a body in the state.
struct BodyRange {
  BodyKind kind = BodyKind::soft;
  /// Range in State::x of a soft body, State::frames of a rigid body or chain, State::q of a robot.
  std::int32_t first = 0, n = 0;
  std::int32_t first_row = 0, n_row = 0;

  std::int32_t end() const { return first + n; }
  std::int32_t end_row() const { return first_row + n_row; }
};

/// Ranges of all bodies by their numbers (Objects): nodes first, then frames, then robots.
class BodyLayout {
 public:
  /// Appends a body. @param n  number of nodes, frames or coordinates
  void add(BodyKind kind, std::int32_t n);

  const std::vector<BodyRange>& bodies() const { return bodies_; }
  std::int32_t size() const { return static_cast<std::int32_t>(bodies_.size()); }
  const BodyRange& operator[](std::int32_t body) const {
    return bodies_[static_cast<std::size_t>(body)];
  }
  std::int32_t n_node() const { return n_node_; }
  std::int32_t n_frame() const { return n_frame_; }
  std::int32_t n_row() const { return n_row_; }
  std::int32_t n_dof() const { return 3 * n_node_ + 6 * n_frame_ + n_coordinate_; }
  std::int32_t frame_row(std::int32_t frame) const { return n_node_ + kLinkRows * frame; }
  /// First row of all robots.
  std::int32_t first_robot_row() const { return frame_row(n_frame_); }

 private:
  std::vector<BodyRange> bodies_;
  std::int32_t n_node_ = 0, n_frame_ = 0, n_coordinate_ = 0, n_row_ = 0;
};

/// Force and torque in world axes; the torque refers to the point where the force acts.
struct Wrench {
  Vec3d force_N{}, torque_Nm{};
};

/// External load on a robot's link.
struct LinkLoad {
  std::int32_t robot = 0, link = 0;
  Vec3d point_m{};  ///< point of action in world axes
  Wrench wrench;
};

}  // namespace nodia
