/// Mass matrix and stiffness of gravity of a tree in its independent coordinates.
#pragma once

#include "kernels/articulated/tree.hpp"

namespace nodia {

/// Composite-rigid-body algorithm (Featherstone 2008, section 6.2):
///   M_ij = axis_i . I_j axis_j  for i an ancestor of j or j itself, I_j the inertia of j's
///   subtree;
/// the ratios of the joints project their coordinates on the independent ones.
///
/// @param subtree  inertia of every body with all its descendants (add_up_subtrees)
/// @param M        out: n_dof x n_dof, full, exactly symmetric
NODIA_HD void mass_matrix(const TreeView& tree, const SpatialMotion* axis,
                          const SpatialInertia* subtree, double* M) {
  const int n = tree.n_dof;
  for (int k = 0; k < n * n; ++k) M[k] = 0;
  for (int j = 0; j < tree.n_body; ++j) {
    const JointedBody& body = tree.body[j];
    const SpatialForce momentum = subtree[j] * axis[j];
    for (int i = j; i >= 0; i = tree.body[i].parent) {
      const JointedBody& above = tree.body[i];
      const double m = body.ratio * above.ratio * dot(axis[i], momentum);
      M[n * above.dof + body.dof] += m;
      if (i != j) M[n * body.dof + above.dof] += m;
    }
  }
}

/// Hessian of the gravity potential, -g . sum m c, in the independent coordinates:
///   H_ij = -m_j g . (w_i x c'_j)  for i an ancestor of j or j itself,
/// with w_i the rotation axis of i (zero for a prismatic joint), m_j the mass of j's subtree and
/// c'_j the velocity of its centre of mass per unit of coordinate j. Indefinite in general.
///
/// @param gravity  g, down [m/s^2]
/// @param H        out: n_dof x n_dof, full, exactly symmetric
NODIA_HD void gravity_stiffness(const TreeView& tree, const SpatialMotion* axis,
                                const SpatialInertia* subtree, Vec3d gravity, double* H) {
  const int n = tree.n_dof;
  for (int k = 0; k < n * n; ++k) H[k] = 0;
  for (int j = 0; j < tree.n_body; ++j) {
    const JointedBody& body = tree.body[j];
    const Vec3d moved =
        subtree[j].mass * axis[j].linear + cross(axis[j].angular, subtree[j].first_moment);
    for (int i = j; i >= 0; i = tree.body[i].parent) {
      const JointedBody& above = tree.body[i];
      const double h = -body.ratio * above.ratio * dot(gravity, cross(axis[i].angular, moved));
      H[n * above.dof + body.dof] += h;
      if (i != j) H[n * body.dof + above.dof] += h;
    }
  }
}

}  // namespace nodia
