#include "fem/robot/joint_axes.hpp"

#include <cmath>

namespace nodia {

std::vector<JointAxis> axes_of(const RobotJoint& joint) {
  const auto unit = [&] { return (1 / norm(joint.axis)) * joint.axis; };
  switch (joint.kind) {
    case JointKind::fixed:
      return {};
    case JointKind::revolute:
    case JointKind::continuous:
      return {{JointMotion::turn, unit(), 0, ""}};
    case JointKind::prismatic:
      return {{JointMotion::slide, unit(), 0, ""}};
    case JointKind::planar: {
      // Any two directions normal to n and to each other.
      const Vec3d n = unit();
      const Vec3d far = std::fabs(n.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
      const Vec3d x = (1 / norm(far - dot(far, n) * n)) * (far - dot(far, n) * n);
      return {{JointMotion::slide, x, 0, ".x"},
              {JointMotion::slide, cross(n, x), 0, ".y"},
              {JointMotion::turn, n, 0, ".rz"}};
    }
    case JointKind::floating:
      return {{JointMotion::slide, {1, 0, 0}, 0, ".x"}, {JointMotion::slide, {0, 1, 0}, 0, ".y"},
              {JointMotion::slide, {0, 0, 1}, 0, ".z"}, {JointMotion::ball, {1, 0, 0}, 0, ".rx"},
              {JointMotion::ball, {0, 1, 0}, 1, ".ry"}, {JointMotion::ball, {0, 0, 1}, 2, ".rz"}};
  }
  return {};
}

bool has_several_coordinates(JointKind kind) {
  return kind == JointKind::planar || kind == JointKind::floating;
}

bool has_actuator(const RobotJoint& joint) {
  return !has_several_coordinates(joint.kind) || std::isfinite(joint.max_effort);
}

}  // namespace nodia
