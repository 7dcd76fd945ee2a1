/// State of one environment, and where its bodies are in it.
#pragma once

#include <cstdint>
#include <vector>

#include "host/problem/topology.hpp"
#include "host/scene/scene.hpp"
#include "kernels/elements/frame_joint.hpp"

namespace nodia {

/// Bodies in the order of their numbers; BodyLayout says where each is.
struct State {
  std::vector<Vec3d> x;           ///< positions of nodes [m]
  std::vector<FramePose> frames;  ///< at their centres of mass; of cables from rear to front
  std::vector<double> q;          ///< coordinates of robots [rad] or [m]
  /// Velocities of the rows of A: of every node [m/s]; of every frame, linear and angular in world
  /// axes [m/s, rad/s]; of every robot three coordinates a row.
  std::vector<Vec3d> v;
  double time_s = 0;
  int step = 0;
};

/// Where a body is.
struct BodyRange {
  BodyKind kind = BodyKind::soft;
  /// In State::x of a soft one, State::frames of a rigid one or a chain, State::q of a robot.
  std::int32_t first = 0, n = 0;
  std::int32_t first_row = 0, n_row = 0;

  std::int32_t end() const { return first + n; }
  std::int32_t end_row() const { return first_row + n_row; }
};

/// Where the bodies of a scene are, by their numbers (Objects): those that are nodes, then those
/// that are frames, then robots.
class BodyLayout {
 public:
  /// The next body. @param n  nodes, frames or coordinates
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
  /// Of all robots.
  std::int32_t first_robot_row() const { return frame_row(n_frame_); }

 private:
  std::vector<BodyRange> bodies_;
  std::int32_t n_node_ = 0, n_frame_ = 0, n_coordinate_ = 0, n_row_ = 0;
};

/// Force and torque, world axes, the torque about the point where the force acts.
struct Wrench {
  Vec3d force_N{}, torque_Nm{};
};

/// What acts on a robot's link from outside.
struct LinkLoad {
  std::int32_t robot = 0, link = 0;
  Vec3d point_m{};  ///< where the force acts, world
  Wrench wrench;
};

}  // namespace nodia
