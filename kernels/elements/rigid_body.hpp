/// Free rotation of a rigid body, and its inertia terms in a time step.
///
/// Euler's equations  dL/dt = tau,  L = I omega,  I = R I_body R^T   (world axes, about the centre)
///
/// The step (math.md section 1) for the angular row is
///   A = I_n/(theta t),   b = I_n omega_free/(theta t) + tau
///   q_next = exp(t omega_hat) q,   L_next = L_n + I_n (omega_hat - omega_free)/theta,
/// omega_free is the constant angular velocity of the same rotation without torque. L_next - L_n is
/// t times all torques of the step (joints, drag, contacts), so angular momentum is balanced
/// exactly for every theta; without torque |L| and energy are constant up to rounding.
#pragma once

#include "kernels/core/rotation.hpp"

namespace nodia {

/// R I_body R^T, symmetric to the last bit.
/// @param body  inertia about the centre of mass, body axes [kg m^2]
NODIA_HD Mat3d world_inertia(const Mat3d& R, const Mat3d& body) {
  const Mat3d RI = R * body;
  Mat3d world;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) world(i, j) = world(j, i) = dot(RI.row[i], R.row[j]);
  return world;
}

/// -omega x I omega [N m], all in the same axes.
NODIA_HD Vec3d gyroscopic_torque(const Mat3d& inertia, Vec3d omega) {
  return -cross(omega, inertia * omega);
}

/// Mean angular velocity W_m of a free rotation for `h`, body axes, by the midpoint rule
///   I (W' - W) + h W_m x I W_m = 0,   W_m = (W + W')/2,
/// which conserves W . I W and |I W| (Simo & Wong 1991, ALGO_C1); the body turns by the Cayley map
/// of h W_m. Newton; converges for h |W| up to about 1.
NODIA_HD Vec3d free_midpoint(const Mat3d& inertia, Vec3d W, double h) {
  const double quarter = 0.25 * h;
  const Vec3d L = inertia * W;
  const double L2 = squared_norm(L), hW2 = h * h * squared_norm(W);
  Vec3d next = W;
  for (int iteration = 0; iteration < 8; ++iteration) {
    const Vec3d sum = W + next;
    const Vec3d L_sum = inertia * sum;
    const Vec3d residual = inertia * (next - W) + quarter * cross(sum, L_sum);
    const double squared = squared_norm(residual);
    if (squared == 0) break;
    const Mat3d slope = inertia + quarter * (skew(sum) * inertia - skew(L_sum));
    next -= inverse(slope) * residual;
    // Newton leaves an error of about h |W| times the square of the residual, relative to |L|.
    if (squared * squared * hW2 <= 1e-34 * L2 * L2) break;
  }
  return 0.5 * (W + next);
}

/// omega_free: exp(t omega_free) is the rotation in time t without torque, to second order in t,
/// with exact energy and angular momentum, and exact about a principal axis. A fast rotation is
/// divided into at most 64 parts of at most half a radian.
/// @param inertia  about the centre of mass, body axes [kg m^2]
/// @param q        orientation
/// @param omega    angular velocity, world axes [rad/s]
/// @param t        duration [s], > 0
NODIA_HD Vec3d free_angular_velocity(const Mat3d& inertia, Quaternion q, Vec3d omega, double t) {
  const double speed = norm(omega);
  if (!(speed * t > 1e-12)) return omega;
  Vec3d W = inverse_rotate(q, omega);
  const Vec3d L = inertia * W;
  // 2 T/|L| is constant; it equals the speed for a rotation about a principal axis.
  const double rate = dot(W, L) / norm(L);
  int n_part = 1;
  while (n_part < 64 && speed * t > 0.5 * n_part) ++n_part;
  // Duration of a part for which the Cayley map rotates at the rate t / n_part.
  const double angle = 0.5 * rate * t / n_part;
  double h = t / n_part;
  const double a2 = angle * angle;
  if (a2 < 4e-4) {
    h *= 1 + a2 * (1.0 / 3 + a2 * (2.0 / 15 + a2 * (17.0 / 315)));
  } else if (angle < 1.5) {
    h *= std::tan(angle) / angle;
  }
  if (n_part == 1) {
    const Vec3d middle = free_midpoint(inertia, W, h);
    const double x2 = 0.25 * h * h * squared_norm(middle);
    const double x = std::sqrt(x2);
    const double ratio = x2 < 4e-4 ? small_arctangent_ratio(x2) : std::atan(x) / x;
    return rotate(q, (ratio * h / t) * middle);
  }
  Quaternion turn{};
  Vec3d travelled{};
  for (int part = 0; part < n_part; ++part) {
    const Vec3d middle = free_midpoint(inertia, W, h);
    const Quaternion cayley =
        normalized({1, 0.5 * h * middle.x, 0.5 * h * middle.y, 0.5 * h * middle.z});
    travelled += (t / n_part) * rotate(turn, middle);
    turn = turn * cayley;
    W = 2.0 * middle - W;
  }
  Vec3d rotation = rotation_log(turn);
  // Adds the full revolutions of the rotation.
  const double length = norm(rotation);
  const double pi = 3.14159265358979323846;
  if (length > 1e-3) {
    const double rounds = std::round((dot(travelled, rotation) / length - length) / (2 * pi));
    rotation = (1 + 2 * pi * rounds / length) * rotation;
  } else if (norm(travelled) > pi) {
    const double rounds = std::round(norm(travelled) / (2 * pi));
    rotation += (2 * pi * rounds / norm(travelled)) * travelled;
  }
  return (1 / t) * rotate(q, rotation);
}

/// Angular velocity after the step, world axes: momentum I_n omega + I_n (omega_hat -
/// omega_free)/theta at the orientation at its end.
NODIA_HD Vec3d next_angular_velocity(const Mat3d& inertia, Quaternion q, Quaternion q_next,
                                     Vec3d omega, Vec3d omega_free, Vec3d omega_hat, double theta) {
  const Vec3d effective = omega + (1 / theta) * (omega_hat - omega_free);
  const Vec3d L = rotate(q, inertia * inverse_rotate(q, effective));
  const Vec3d L_body = inverse_rotate(q_next, L);
  const Mat3d compliance = inverse(inertia);
  Vec3d W = compliance * L_body;
  W += compliance * (L_body - inertia * W);  // else the rounding of the inverse would accumulate
  return rotate(q_next, W);
}

}  // namespace nodia
