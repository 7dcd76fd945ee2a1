/// Convex hull of points.
#pragma once

#include <vector>

#include "fem/mesh/triangle_mesh.hpp"

namespace nodia {

/// Smallest convex solid that contains the points: a closed surface with normals outward, whose
/// vertices are points. Computed by Qhull with joggled input (Barber, Dobkin, Huhdanpaa 1996),
/// hence convex to about 1e-10 of the size.
/// @throws InputError `where: ...` if the points have no volume: less than 1e-9 of the cube of
/// their longest extent
TriangleMesh convex_hull(const std::vector<Vec3d>& points, const std::string& where);

}  // namespace nodia
