#include "host/scene/rigid_body.hpp"

#include "kernels/core/error.hpp"

namespace nodia {

std::vector<PlacedShape> shapes_of(const RigidBodyDescription& body) {
  return {{body.shape, body.shape_pose, body.grid}};
}

Mat3d solid_inertia(const Shape& shape, double mass_kg) {
  const double m = mass_kg, r = shape.radius, l = shape.length;
  const auto diagonal = [](double x, double y, double z) {
    return Mat3d{{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
  };
  switch (shape.kind) {
    case ShapeKind::box: {
      const Vec3d s = shape.size;
      return diagonal(m / 12 * (s.y * s.y + s.z * s.z), m / 12 * (s.z * s.z + s.x * s.x),
                      m / 12 * (s.x * s.x + s.y * s.y));
    }
    case ShapeKind::sphere:
      return diagonal(0.4 * m * r * r, 0.4 * m * r * r, 0.4 * m * r * r);
    case ShapeKind::cylinder: {
      const double across = m / 12 * (3 * r * r + l * l);
      return diagonal(across, across, 0.5 * m * r * r);
    }
    case ShapeKind::capsule: {
      // A cylinder of length l and two hemispheres, whose centres of mass lie 3/8 r beyond its
      // ends.
      const double part = l / (l + 4 * r / 3), tube = part * m, caps = (1 - part) * m;
      const double across =
          tube / 12 * (3 * r * r + l * l) + caps * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
      return diagonal(across, across, 0.5 * tube * r * r + 0.4 * caps * r * r);
    }
    case ShapeKind::half_space:
    case ShapeKind::distance_grid:
      break;
  }
  throw InputError("inertia_kg_m2: missing (must be given for this shape)");
}

}  // namespace nodia
