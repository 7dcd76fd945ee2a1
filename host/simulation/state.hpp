/// State of one environment, and where its bodies are in it.
#pragma once

#include <cstdint>
#include <vector>

#include "host/scene/scene.hpp"
#include "kernels/elements/frame_joint.hpp"

namespace nodia {

/// Order: soft bodies' nodes; frames: rigid bodies, then the links of cables from rear to front;
/// robots. BodyLayout says where each object begins.
struct State {
  std::vector<Vec3d> x;           ///< positions of soft nodes [m]
  std::vector<FramePose> frames;  ///< of rigid bodies and links, at their centres of mass
  std::vector<double> q;          ///< coordinates of robots [rad] or [m]
  /// Velocities of the rows of A: of every node [m/s]; of every frame, linear and angular in world
  /// axes [m/s, rad/s]; of every robot three coordinates a row.
  std::vector<Vec3d> v;
  double time_s = 0;
  int step = 0;
};

/// First indices of a scene's objects, each list with one entry more: the end.
struct BodyLayout {
  std::vector<std::int32_t> soft_node{0};    ///< per soft body: in State::x, and row
  std::vector<std::int32_t> cable_frame{0};  ///< per cable: in State::frames; entry 0 is the number
                                             ///< of rigid bodies, whose frames come first
  std::vector<std::int32_t> robot_q{0};      ///< per robot: in State::q
  std::vector<std::int32_t> robot_row{0};    ///< per robot: row
  std::int32_t first_frame_row = 0;          ///< row of frame f: first_frame_row + 2 f

  std::int32_t n_node() const { return soft_node.back(); }
  std::int32_t n_frame() const { return cable_frame.back(); }
  std::int32_t n_row() const { return robot_row.back(); }
  std::int32_t n_dof() const { return 3 * n_node() + 6 * n_frame() + robot_q.back(); }
  std::int32_t frame_row(std::int32_t frame) const { return first_frame_row + 2 * frame; }
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
