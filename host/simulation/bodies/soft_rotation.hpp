/// The rotation of a soft body in a step.
///
/// x + t v_hat is no rotation: it moves every node away from the axis, by (t omega)^2 r/2. With the
/// rigid motion that is closest to a field of velocities, weighted by mass,
///   v_i = v_c + omega x r_i + d_i,   r_i = x_i - c,   R = exp(t omega),
/// the nodes advance by
///   x'_i = c + t v_c + R r_i + t d_i,   v'_i = v_c + R (v_next_i - v_c) + beta x (x'_i - c'),
/// v_c the centre's v_hat in x' and v_next in v'; beta leaves the body the angular momentum
/// sum m r x v_next, less the moment of the linearised elastic force. In a step without forces
/// (v_hat and v_next as at its start), the nodes would thus change their velocities. The load
///   -m_i/t (v'_i - v_i), without its moment about c,
/// cancels this: centrifugal and Coriolis force.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/node_motion.hpp"
#include "kernels/core/rotation.hpp"

namespace nodia {

/// The nodes of a body, and how many threads may process them.
struct BodyNodes {
  const double* mass_kg = nullptr;  ///< [n]
  const Vec3d* x = nullptr;         ///< [n] at the start of the step [m]
  int n = 0;
  int n_thread = 1;
};

/// The rigid motion that is closest to a field of velocities.
struct RigidMotion {
  Vec3d center{}, velocity{};  ///< of the centre of mass [m], [m/s]
  Vec3d angular_momentum{};    ///< about the centre [kg m^2/s]
  Vec3d omega{};               ///< angular velocity of the rotation that is followed [rad/s]
  Mat3d inertia{};             ///< about the centre [kg m^2]
};

/// @param v  [n] [m/s]
/// @return omega is I^-1 L times 1 - 5 |d|^2/|omega x r|^2 (norms weighted by mass; not below 0):
///     a body of which parts turn and others are at rest does not turn as a whole
RigidMotion closest_rigid_motion(const BodyNodes& nodes, const Vec3d* v);

/// In the step without forces, which the problem contains, or in its last solution.
enum class Shift : std::uint8_t { predicted, solved };

class SoftRotation {
 public:
  /// Smallest rotation in a step that is followed [rad]; below it a strain error of 5e-7 remains.
  static constexpr double kLeastTurn = 1e-3;

  /// Prepares a step that starts with the velocities v.
  /// @param v        [n] [m/s]
  /// @param follows  false: nodes move by t v_hat
  void start(const TimeStep& step, const BodyNodes& nodes, const Vec3d* v, bool follows);

  /// Rotation in the step by the velocities at its start [rad].
  double turn_rad() const { return turn_rad_; }
  /// True if the body turns at the start of the step; then the terms below are valid.
  bool turns() const { return turns_; }
  /// Velocity of the point x in a rotation about the centre, by its angular velocity [m].
  Mat3d velocity_by_omega(Vec3d x) const { return skew(center_ - x); }
  /// Sets the part of A v by stiffness and damping at a node, for the velocities v of a rotation:
  /// a matrix by which its angular velocity is multiplied [N s].
  void set_stiffness(int node, const Mat3d& stiffness) { stiffness_[node] = stiffness; }
  /// Term of b [N]: the load, the change of omega by which a free body tumbles, and the part of A v
  /// that set_stiffness() has set, because a rotation causes no elastic force.
  Vec3d force(int node) const { return force_[node] + stiffness_[node] * omega_free_; }
  /// End position of a node minus x + t v_hat [m].
  Vec3d shift(Shift of, std::int32_t node) const {
    const std::vector<Vec3d>& shifts = of == Shift::predicted ? predicted_ : solved_;
    return shifts.empty() ? Vec3d{} : shifts[static_cast<std::size_t>(node)];
  }
  /// Sets the shifts of a solution. @param v_hat, x_end  [n] of advance()
  void set_solved(const TimeStep& step, const BodyNodes& nodes, const Vec3d* v_hat,
                  const Vec3d* x_end);

  /// Advances the nodes. @param v, v_hat  [n] [m/s]
  /// @param x_end, v_end  out: [n] [m], [m/s]
  /// @return true if all is finite
  bool advance(const TimeStep& step, const BodyNodes& nodes, const Vec3d* v, const Vec3d* v_hat,
               Vec3d* x_end, Vec3d* v_end) const;

 private:
  bool follows_ = false, turns_ = false;
  double turn_rad_ = 0;
  Vec3d omega_free_{};    ///< angular velocity of the step without forces [rad/s]
  Vec3d omega_change_{};  ///< omega_free minus the angular velocity at the start [rad/s]
  Vec3d center_{};
  std::vector<Mat3d> stiffness_;
  std::vector<Vec3d> force_, predicted_, solved_;
};

}  // namespace nodia
