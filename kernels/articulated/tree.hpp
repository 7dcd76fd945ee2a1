/// A tree of rigid bodies with revolute, prismatic and ball joints, and the kinematics of its
/// bodies.
///
/// One joint with one coordinate
///   p = ratio q[dof] + offset
/// connects every body to its parent or to the base. A ball joint consists of three bodies in a
/// row, `part` 0, 1 and 2; the first two have no inertia. Their coordinates q[dof], q[dof + 1],
/// q[dof + 2] are the rotation vector of the third body in the frame of the joint. Their speeds qd
/// are its angular velocity in that frame, not the derivatives of q, so that no orientation is
/// singular. Several joints may share one independent coordinate q[dof] (mimic joints): the
/// constant map dp/dq = ratio projects a mass matrix, a load or a Jacobian in the joints'
/// coordinates.
#pragma once

#include <cstdint>

#include "kernels/articulated/spatial.hpp"
#include "kernels/core/pose.hpp"
#include "kernels/core/rotation.hpp"

namespace nodia {

enum class JointMotion : std::uint8_t { turn, slide, ball };

struct JointedBody {
  std::int32_t parent = -1;  ///< index of a preceding body, -1: the base
  std::int32_t dof = 0;      ///< independent coordinate, in [0, n_dof)
  JointMotion motion = JointMotion::turn;
  std::int32_t part = 0;   ///< part of a ball joint: 0, 1 or 2, its rotation axis
  double ratio = 1;        ///< [-]; rad per m, if the joints differ in kind
  double offset = 0;       ///< [rad] or [m]
  Pose joint_in_parent{};  ///< the body's frame in its parent's at p = 0
  Vec3d axis{0, 0, 1};     ///< unit, in the body's frame
  RigidInertia inertia{};
};

struct TreeView {
  int n_body = 0;
  int n_dof = 0;
  const JointedBody* body = nullptr;  ///< [n_body], parents first
  Pose base{};                        ///< pose of the base in the world; O is its position
};

/// Rotation by `angle` about the unit vector `axis` (Rodrigues).
NODIA_HD Mat3d axis_rotation(Vec3d axis, double angle) {
  const double s = std::sin(angle), half = std::sin(0.5 * angle);
  const double versine = 2 * half * half;  // 1 - cos, without cancellation
  Mat3d m = versine * outer(axis, axis) + (1 - versine) * Mat3d::identity();
  m(0, 1) -= s * axis.z;
  m(0, 2) += s * axis.y;
  m(1, 0) += s * axis.z;
  m(1, 2) -= s * axis.x;
  m(2, 0) -= s * axis.y;
  m(2, 1) += s * axis.x;
  return m;
}

/// The body, -1 for the base, whose motion carries the axis of a body's joint.
NODIA_HD std::int32_t carrier_of_axis(const TreeView& tree, int body) {
  return tree.body[body - tree.body[body].part].parent;
}

/// World poses of the bodies, and the motion of each per unit of its own joint coordinate p.
/// @param q     n_dof [rad] or [m]
/// @param pose  out: n_body
/// @param axis  out: n_body, about O
NODIA_HD void forward_kinematics(const TreeView& tree, const double* q, Pose* pose,
                                 SpatialMotion* axis) {
  for (int i = 0; i < tree.n_body; ++i) {
    const JointedBody& body = tree.body[i];
    const Pose& parent = body.parent < 0 ? tree.base : pose[body.parent];
    const double p = body.ratio * q[body.dof] + body.offset;
    const Mat3d at_zero = parent.rotation * body.joint_in_parent.rotation;
    const Vec3d position = parent.to_world(body.joint_in_parent.position);
    const Vec3d a = at_zero * body.axis;
    if (body.motion == JointMotion::ball) {
      const Vec3d r =
          body.part == 2 ? Vec3d{q[body.dof - 2], q[body.dof - 1], q[body.dof]} : Vec3d{};
      pose[i] = {position, at_zero * rotation_exp(r)};
      axis[i] = {a, cross(position - tree.base.position, a)};
    } else if (body.motion == JointMotion::turn) {
      pose[i] = {position, at_zero * axis_rotation(body.axis, p)};
      axis[i] = {a, cross(position - tree.base.position, a)};
    } else {
      pose[i] = {position + p * a, at_zero};
      axis[i] = {{}, a};
    }
  }
}

/// Spatial velocity of every body about O.
/// @param axis      axes of forward_kinematics()
/// @param qd        n_dof [rad/s] or [m/s]
/// @param velocity  out: n_body
NODIA_HD void body_velocities(const TreeView& tree, const SpatialMotion* axis, const double* qd,
                              SpatialMotion* velocity) {
  for (int i = 0; i < tree.n_body; ++i) {
    const JointedBody& body = tree.body[i];
    const SpatialMotion own = (body.ratio * qd[body.dof]) * axis[i];
    velocity[i] = body.parent < 0 ? own : velocity[body.parent] + own;
  }
}

/// Inertia of every body about O.
NODIA_HD void body_inertias(const TreeView& tree, const Pose* pose, SpatialInertia* inertia) {
  for (int i = 0; i < tree.n_body; ++i) {
    inertia[i] =
        to_world(tree.body[i].inertia, pose[i].rotation, pose[i].position - tree.base.position);
  }
}

/// Replaces the inertia of every body by that of the body with all its descendants.
NODIA_HD void add_up_subtrees(const TreeView& tree, SpatialInertia* inertia) {
  for (int i = tree.n_body - 1; i >= 0; --i) {
    const int parent = tree.body[i].parent;
    if (parent >= 0) inertia[parent] = inertia[parent] + inertia[i];
  }
}

}  // namespace nodia
