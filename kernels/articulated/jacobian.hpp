/// Geometric Jacobians of the bodies of a tree, world axes.
#pragma once

#include "kernels/articulated/tree.hpp"

namespace nodia {

/// Velocity of a material point of a body per unit of every independent coordinate.
/// @param axis   axes of forward_kinematics()
/// @param body   -1: the base, whose Jacobian is zero
/// @param point  current position of the body's point, world [m]
/// @param J      out: n_dof columns [m/rad] or [-]
NODIA_HD void point_jacobian(const TreeView& tree, const SpatialMotion* axis, int body, Vec3d point,
                             Vec3d* J) {
  for (int k = 0; k < tree.n_dof; ++k) J[k] = {};
  const Vec3d arm = point - tree.base.position;
  for (int i = body; i >= 0; i = tree.body[i].parent)
    J[tree.body[i].dof] += tree.body[i].ratio * velocity_at(axis[i], arm);
}

/// Angular velocity of a body per unit of every independent coordinate.
/// @param J  out: n_dof columns [rad/rad] or [rad/m]
NODIA_HD void angular_jacobian(const TreeView& tree, const SpatialMotion* axis, int body,
                               Vec3d* J) {
  for (int k = 0; k < tree.n_dof; ++k) J[k] = {};
  for (int i = body; i >= 0; i = tree.body[i].parent)
    J[tree.body[i].dof] += tree.body[i].ratio * axis[i].angular;
}

}  // namespace nodia
