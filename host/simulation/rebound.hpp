/// Touch and rebound of two points within a step: Newton's restitution, and its energy with
/// friction.
#pragma once

#include <optional>

#include "kernels/core/mat3.hpp"
#include "kernels/core/time_step.hpp"

namespace nodia {

/// Normal motion of two points that approach each other, in a step without contacts. Velocities
/// are relative, positive if the points separate.
struct Approach {
  double gap_m = 0;
  double velocity_m_s = 0;  ///< at the start
  double free_m_s = 0;      ///< v_hat
};

/// Law of a contact that closes and rebounds in a step.
struct Rebound {
  double phi_m_s = 0;  ///< phi_n: u_n = 0 at the rebound velocity
  double delay_s = 0;  ///< time between (1 - theta) t and the touch; may be negative
};

/// Touch and rebound with the restitution e. Without contacts, the points move with the constant
/// acceleration a = (v_hat - v)/(theta t). The parabola through their positions at the ends of the
/// steps has the velocity w = v + (theta - 1/2) t a at the start of this step. The points touch
/// after the time s, gap + w s + a s^2/2 = 0, and separate with -e (w + a s).
/// @return nothing if they do not touch in the step, or touch again in the rest of it
std::optional<Rebound> rebound(const Approach& approach, double e, const TimeStep& time);

/// Normal speed at the touch, 0 if the points do not touch [m/s].
double touch_speed(const Approach& approach, const TimeStep& time);

/// Change of the kinetic energy by an impact with Newton's restitution and Coulomb's friction at
/// one contact [J]; 0 if the law has no solution.
/// @param W         R J M^-1 J^T R^T [1/kg]
/// @param u         relative velocity before the impact, u.x < 0, contact frame [m/s]
/// @param mu1, mu2  friction along the axes of the frame
double energy_of_impact(const Mat3d& W, Vec3d u, double e, double mu1, double mu2);

/// Largest restitution up to e with which the impact of energy_of_impact() creates no energy.
/// Newton's law can create it where friction acts on a tilted body (Kane's paradox).
double passive_restitution(const Mat3d& W, Vec3d u, double e, double mu1, double mu2);

}  // namespace nodia
