/// Volume, centre and inertia of homogeneous solids.
#pragma once

#include "fem/mesh/triangle_mesh.hpp"
#include "kernels/contact/shapes.hpp"

namespace nodia {

struct SolidIntegrals {
  double volume_m3 = 0;
  Vec3d centre_m{};
  Mat3d
      inertia_m5{};  ///< int |x|^2 I - x x^T about the centre, frame's axes; times density [kg m^2]
};

/// Integrals over the inside of a closed mesh, its boundary turned into tetrahedra with one apex:
/// V = det/6, int x = V s/4, int x x^T = V (s s^T + a a^T + b b^T + c c^T)/20, s = a + b + c.
/// @param mesh  closed, normals outward (require_closed)
/// @throws InputError `where: ...` where the volume is not positive
SolidIntegrals solid_integrals(const TriangleMesh& mesh, const std::string& where);

/// Volume of a bounded analytic shape [m^3]. @throws InputError for half-space and distance grid
double solid_volume(const Shape& shape);

/// Inertia of a homogeneous solid about the origin of its frame, which is its centre [kg m^2].
/// @throws InputError for a shape without a volume of its own (half-space, distance grid)
Mat3d solid_inertia(const Shape& shape, double mass_kg);

}  // namespace nodia
