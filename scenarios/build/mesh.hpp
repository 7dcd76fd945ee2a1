/// Sources of the mesh of a soft body: a file or a mesh generator.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "fem/mesh/tet_mesh.hpp"
#include "host/scene/limits.hpp"
#include "scenarios/build/scene_files.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

struct MeshBox {
  Vec3d size_m{};
  std::array<int, 3> cells{1, 1, 1};
};

struct MeshMat {
  Vec3d size_m{};
  int nodes = 0;
  int layers = 0;
  std::uint64_t seed = 1;
};

struct MeshBall {
  double radius_m = 0;
  int nodes = 0;
};

/// Exactly one member has a value.
struct MeshSource {
  std::optional<std::string> file;
  std::optional<MeshBox> box;
  std::optional<MeshMat> mat;
  std::optional<MeshBall> ball;
};

inline void visit_keys(DocumentVisitor& v, MeshBox& m) {
  v.vector({"size_m", "edges along x, y, z [m]", "try [0.3, 0.3, 0.006]", true}, m.size_m,
           Range::positive());
  v.cells({"cells", "cells along x, y, z, six tetrahedra each", "try [20, 20, 1]", true}, m.cells,
          1, kMaxMeshNodes);
}

inline void visit_keys(DocumentVisitor& v, MeshMat& m) {
  v.vector({"size_m", "length, width, thickness [m]", "try [0.3, 0.3, 0.006]", true}, m.size_m,
           Range::positive());
  v.integer({"nodes", "about so many", "try 1477", true}, m.nodes, 8, kMaxMeshNodes);
  v.integer({"layers", "of elements through the thickness; 0: chosen", "try 0"}, m.layers, 0, 1000);
  v.unsigned_64({"seed", "of the jitter of its points", "try 1"}, m.seed);
}

inline void visit_keys(DocumentVisitor& v, MeshBall& m) {
  v.real({"radius_m", "[m]", "try 0.05", true}, m.radius_m, Range::positive());
  v.integer({"nodes", "about so many", "try 500", true}, m.nodes, 8, kMaxMeshNodes);
}

inline void visit_keys(DocumentVisitor& v, MeshSource& m) {
  v.exactly_one("file: NAME.msh, box, mat or ball");
  v.optional({"file", "Gmsh .msh file, 2.2 or 4.1"}, m.file,
             [&](const Key& key, std::string& file) { v.file(key, file); });
  v.optional_group({"box", "regular box, lower corner at the origin"}, m.box);
  v.optional_group({"mat", "unstructured sheet, lower corner at the origin"}, m.mat);
  v.optional_group({"ball", "ball about the origin"}, m.ball);
}

/// Reads or generates the mesh.
/// @param files  in and out: files that were read before
/// @throws InputError if the file cannot be read, or the mesh is unusable or too large
TetMesh mesh_of(const MeshSource& source, SceneFiles* files);

}  // namespace nodia
