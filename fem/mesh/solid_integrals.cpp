#include "fem/mesh/solid_integrals.hpp"

#include <fmt/format.h>

#include <cmath>

#include "kernels/core/error.hpp"

namespace nodia {
SolidIntegrals solid_integrals(const TriangleMesh& mesh, const std::string& where) {
  // The apex is near the solid: one far away costs digits.
  Vec3d apex{};
  for (const Vec3d vertex : mesh.vertices)
    apex += (1.0 / static_cast<double>(mesh.vertices.size())) * vertex;

  double volume = 0;
  Vec3d first{};
  Mat3d second{};
  for (const auto& triangle : mesh.triangles) {
    const auto corner = [&](int k) {
      return mesh.vertices[static_cast<std::size_t>(triangle[static_cast<std::size_t>(k)])] - apex;
    };
    const Vec3d a = corner(0), b = corner(1), c = corner(2), s = a + b + c;
    const double v = dot(a, cross(b, c)) / 6;
    volume += v;
    first += (v / 4) * s;
    second = second + (v / 20) * (outer(s, s) + outer(a, a) + outer(b, b) + outer(c, c));
  }
  if (!(volume > 0 && std::isfinite(volume))) {
    throw InputError(fmt::format(
        "{}: volume = {} m^3 (must be > 0; turn the normals outward, one solid)", where, volume));
  }
  const Vec3d shift = (1 / volume) * first;
  const Mat3d central = second - volume * outer(shift, shift);
  return {volume, apex + shift, trace(central) * Mat3d::identity() - central};
}

double solid_volume(const Shape& shape) {
  const bool is_known = with_row(shape.kind, [](auto row) { return row.kHasIntegrals; });
  if (!is_known) throw InputError("mass_kg: missing (must be given for this shape)");
  return with_row(shape.kind, [&](auto row) { return row.volume(shape); });
}

Mat3d solid_inertia(const Shape& shape, double mass_kg) {
  const bool is_known = with_row(shape.kind, [](auto row) { return row.kHasIntegrals; });
  if (!is_known) throw InputError("inertia_kg_m2: missing (must be given for this shape)");
  const Vec3d i = with_row(shape.kind, [&](auto row) { return row.inertia(shape, mass_kg); });
  return {{{i.x, 0, 0}, {0, i.y, 0}, {0, 0, i.z}}};
}

}  // namespace nodia
