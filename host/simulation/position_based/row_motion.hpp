/// Motion of the rows of one environment within a substep of position-based dynamics.
///
/// An impulse times the substep, p = h^2 F [N s^2], moves a row by inverse_mass p (nodes, centres
/// of frames) or rotates it by inverse_inertia l (l = h^2 torque). Drag and springs to moving
/// targets are included in these inertias, as in the diagonal of A.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/mat3.hpp"
#include "kernels/core/rotation.hpp"
#include "kernels/elements/frame_joint.hpp"

namespace nodia {

struct RowMotion {
  std::int32_t n_node = 0;
  std::int32_t first_frame_row = 0;
  std::vector<Vec3d> x;                ///< positions of nodes [m]
  std::vector<FramePose> frames;       ///< poses of frames
  std::vector<double> inverse_mass;    ///< per row; unused for angular rows [1/kg]
  std::vector<Mat3d> inverse_inertia;  ///< per frame, world axes [1/(kg m^2)]
  /// Displacement per row since the start of the step [m], [rad]. Rotations are summed as vectors,
  /// because contact points are linear in them.
  std::vector<Vec3d> displacement;

  std::int32_t row(std::int32_t frame) const { return first_frame_row + 2 * frame; }
  double frame_inverse_mass(std::int32_t frame) const {
    return inverse_mass[static_cast<std::size_t>(row(frame))];
  }

  void shift_node(std::int32_t node, Vec3d by) {
    x[static_cast<std::size_t>(node)] += by;
    displacement[static_cast<std::size_t>(node)] += by;
  }
  void shift_frame(std::int32_t frame, Vec3d by) {
    frames[static_cast<std::size_t>(frame)].position += by;
    displacement[static_cast<std::size_t>(row(frame))] += by;
  }
  void turn_frame(std::int32_t frame, Vec3d by) {
    Quaternion& q = frames[static_cast<std::size_t>(frame)].orientation;
    q = turned(q, by, 1);
    displacement[static_cast<std::size_t>(row(frame)) + 1] += by;
  }
  /// Applies p and l to a frame [N s^2, N m s^2].
  void push_frame(std::int32_t frame, Vec3d p, Vec3d l) {
    shift_frame(frame, frame_inverse_mass(frame) * p);
    turn_frame(frame, inverse_inertia[static_cast<std::size_t>(frame)] * l);
  }
  /// Applies p to any row; p is a torque for angular rows.
  void push_row(std::int32_t r, Vec3d p) {
    if (r < n_node) {
      shift_node(r, inverse_mass[static_cast<std::size_t>(r)] * p);
      return;
    }
    const std::int32_t frame = (r - first_frame_row) / 2;
    if ((r - first_frame_row) % 2 == 0)
      shift_frame(frame, inverse_mass[static_cast<std::size_t>(r)] * p);
    else
      turn_frame(frame, inverse_inertia[static_cast<std::size_t>(frame)] * p);
  }
  /// Inverse inertia of any row.
  Mat3d inverse_inertia_of(std::int32_t r) const {
    if (r >= n_node && (r - first_frame_row) % 2 == 1)
      return inverse_inertia[static_cast<std::size_t>((r - first_frame_row) / 2)];
    return inverse_mass[static_cast<std::size_t>(r)] * Mat3d::identity();
  }
};

/// Error of the constraints at the end of a substep: multipliers against elastic forces.
struct ConstraintError {
  double squared_defect = 0;  ///< sum of |S (C + gamma dC) + mu|^2 [J s^2]
  double squared_size = 0;    ///< sum of |mu|^2 [J s^2]
};

}  // namespace nodia
