/// Is a triangle mesh the surface of a solid? Names the defect, how many, the first one, and what
/// to do.
#include <fmt/format.h>

#include <cmath>

#include "fem/mesh/surface_edges.hpp"
#include "fem/mesh/triangle_mesh.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Items with a defect: how many, and the first one.
struct Defects {
  std::size_t count = 0;
  std::size_t first = 0;

  void add(std::size_t item) {
    if (count++ == 0) first = item;
  }
};

std::string text(Vec3d p) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", p.x, p.y, p.z);
}

void require_valid_indices(const TriangleMesh& mesh, const std::string& where) {
  Defects not_finite, bad_index, repeated;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (!is_finite(mesh.vertices[i])) not_finite.add(i);
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& v = mesh.triangles[t];
    const auto good = [&](std::int32_t i) {
      return i >= 0 && static_cast<std::size_t>(i) < mesh.vertices.size();
    };
    if (!good(v[0]) || !good(v[1]) || !good(v[2])) {
      bad_index.add(t);
    } else if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) {
      repeated.add(t);
    }
  }
  if (not_finite.count > 0) {
    throw InputError(
        fmt::format("{}: {} vertices are not finite, the first is vertex {}; remove them", where,
                    not_finite.count, not_finite.first));
  }
  if (bad_index.count > 0) {
    throw InputError(fmt::format(
        "{}: {} triangles refer to vertices that do not exist, the first is triangle {}; "
        "write the mesh again",
        where, bad_index.count, bad_index.first));
  }
  if (repeated.count > 0) {
    throw InputError(
        fmt::format("{}: {} triangles use a vertex twice, the first is triangle {}; remove them",
                    where, repeated.count, repeated.first));
  }
}

void require_matched_edges(const TriangleMesh& mesh, const std::string& where) {
  const auto [open, twisted] = surface_defects(mesh);
  const auto describe = [&](const EdgeDefects& defects) {
    const EdgeUse& use = defects.first;
    return fmt::format("the first joins vertices {} {} and {} {}", use.low,
                       text(mesh.vertices[static_cast<std::size_t>(use.low)]), use.high,
                       text(mesh.vertices[static_cast<std::size_t>(use.high)]));
  };
  if (open.count > 0) {
    throw InputError(fmt::format(
        "{}: the mesh is not closed: {} edges are open (used by an odd number of triangles), "
        "{}; fill the holes and merge equal vertices",
        where, open.count, describe(open)));
  }
  if (twisted.count > 0) {
    throw InputError(
        fmt::format("{}: {} edges lie between triangles that face opposite sides, {}; "
                    "orient all triangles outward",
                    where, twisted.count, describe(twisted)));
  }
}

/// Volume inside the mesh [m^3], negative if its triangles face inward.
double signed_volume(const TriangleMesh& mesh) {
  const Vec3d origin = mesh.vertices[static_cast<std::size_t>(mesh.triangles.front()[0])];
  double volume = 0;
  for (const auto& t : mesh.triangles) {
    const auto from_origin = [&](std::int32_t i) {
      return mesh.vertices[static_cast<std::size_t>(i)] - origin;
    };
    volume += dot(from_origin(t[0]), cross(from_origin(t[1]), from_origin(t[2]))) / 6;
  }
  return volume;
}

}  // namespace

void require_closed(const TriangleMesh& mesh, const std::string& where) {
  if (mesh.triangles.empty()) {
    throw InputError(where + ": the mesh has no triangles; a closed one has at least 4");
  }
  require_valid_indices(mesh, where);
  require_matched_edges(mesh, where);
  const double volume = signed_volume(mesh);
  if (volume < 0) {
    throw InputError(
        fmt::format("{}: all {} triangles face inward (the volume is {:.6g} m^3); flip them", where,
                    mesh.triangles.size(), volume));
  }
  require(volume > 0 && std::isfinite(volume), where + ": enclosed volume", volume,
          "> 0 and finite", "the mesh is flat or of a wrong scale");
}

}  // namespace nodia
