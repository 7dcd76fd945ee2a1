/// Forces for a given motion of a tree.
#pragma once

#include "kernels/articulated/tree.hpp"

namespace nodia {

/// Work arrays of inverse_dynamics(), n_body each.
struct InverseDynamicsWork {
  SpatialMotion* velocity = nullptr;
  SpatialMotion* acceleration = nullptr;
  SpatialForce* force = nullptr;
};

/// Recursive Newton-Euler algorithm (Featherstone 2008, section 5.3):
///   tau = M(q) qdd + C(q, qd) qd + G(q),
/// projected on the independent coordinates.
///
///   v_i = v_p + axis_i p'_i,   a_i = a_p + axis_i p''_i + v_c x axis_i p'_i,   a_base = -g
///   c the carrier of the axis (carrier_of_axis): the parent p, except in a ball joint
///   f_i = I_i a_i + v_i x* I_i v_i + sum over children of f,   tau += ratio_i axis_i . f_i
///
/// @param axis     axes of forward_kinematics()
/// @param inertia  inertia of each body alone (body_inertias)
/// @param qd       n_dof [rad/s] or [m/s]; null: at rest, tau = M qdd + G
/// @param qdd      n_dof [rad/s^2] or [m/s^2]; null: none, tau = C qd + G, the bias h
/// @param gravity  g, down [m/s^2]; zero omits G
/// @param tau      out: n_dof [N m] or [N]
NODIA_HD void inverse_dynamics(const TreeView& tree, const SpatialMotion* axis,
                               const SpatialInertia* inertia, const double* qd, const double* qdd,
                               Vec3d gravity, InverseDynamicsWork work, double* tau) {
  for (int i = 0; i < tree.n_body; ++i) {
    const JointedBody& body = tree.body[i];
    const bool on_base = body.parent < 0;
    const SpatialMotion v_parent = on_base ? SpatialMotion{} : work.velocity[body.parent];
    SpatialMotion a = on_base ? SpatialMotion{{}, -gravity} : work.acceleration[body.parent];
    SpatialMotion v = v_parent;
    if (qdd) a = a + (body.ratio * qdd[body.dof]) * axis[i];
    if (qd) {
      const SpatialMotion own = (body.ratio * qd[body.dof]) * axis[i];
      const std::int32_t carrier = carrier_of_axis(tree, i);
      a = a + cross(carrier < 0 ? SpatialMotion{} : work.velocity[carrier], own);
      v = v + own;
    }
    work.velocity[i] = v;
    work.acceleration[i] = a;
    work.force[i] = inertia[i] * a + cross(v, inertia[i] * v);
  }
  for (int k = 0; k < tree.n_dof; ++k) tau[k] = 0;
  for (int i = tree.n_body - 1; i >= 0; --i) {
    const JointedBody& body = tree.body[i];
    tau[body.dof] += body.ratio * dot(axis[i], work.force[i]);
    if (body.parent >= 0) work.force[body.parent] = work.force[body.parent] + work.force[i];
  }
}

}  // namespace nodia
