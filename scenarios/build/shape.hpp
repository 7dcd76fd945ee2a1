/// Shapes of obstacles and rigid bodies.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "host/collision/solid_integrals.hpp"
#include "host/scene/keys.hpp"
#include "kernels/contact/shapes.hpp"
#include "scenarios/build/scene_files.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

struct HalfSpaceShape {
  static constexpr const char* kName = "half_space";
};

struct BoxShape {
  static constexpr const char* kName = "box";
  Vec3d size_m{};
};

struct SphereShape {
  static constexpr const char* kName = "sphere";
  double radius_m = 0;
};

struct CylinderShape {
  static constexpr const char* kName = "cylinder";
  double radius_m = 0, length_m = 0;
};

struct CapsuleShape {
  static constexpr const char* kName = "capsule";
  double radius_m = 0, length_m = 0;
};

struct MeshShape {
  static constexpr const char* kName = "mesh";
  std::string file;
  std::optional<double> grid_spacing_m;  ///< absent: default_grid_spacing()
};

/// The shapes, in the order of the schema; each says its own name.
using ShapeEntry =
    std::variant<HalfSpaceShape, BoxShape, SphereShape, CylinderShape, CapsuleShape, MeshShape>;

/// A shape that is bounded.
using SolidEntry = std::variant<BoxShape, SphereShape, CylinderShape, CapsuleShape, MeshShape>;

template <class V>
void visit_keys(V&, HalfSpaceShape&) {}

template <class V>
void visit_keys(V& v, BoxShape& s) {
  v.vector(kSizeKey, s.size_m, Range::positive());
}

template <class V>
void visit_keys(V& v, SphereShape& s) {
  VisitorOf<V> shared(v);
  visit_radius(shared, s.radius_m);
}

template <class V>
void visit_keys(V& v, CylinderShape& s) {
  VisitorOf<V> shared(v);
  visit_radius(shared, s.radius_m);
  visit_length(shared, s.length_m, "along its z axis [m]");
}

template <class V>
void visit_keys(V& v, CapsuleShape& s) {
  VisitorOf<V> shared(v);
  visit_radius(shared, s.radius_m);
  visit_length(shared, s.length_m, "along its z axis, between the centres of its caps [m]");
}

template <class V>
void visit_grid_spacing(V& v, const char* key, std::optional<double>& spacing_m) {
  v.optional({key,
              "of the signed-distance grids of meshes (OBJ or STL, closed), at most half of a "
              "mesh's smallest extent; left out: a 64th of its longest side or a quarter of its "
              "smallest extent, whichever is less [m]",
              "a tenth of the smallest feature"},
             spacing_m, [&](const Key& k, double& value) { v.real(k, value, Range::positive()); });
}

template <class V>
void visit_keys(V& v, MeshShape& s) {
  v.file({"file", "closed triangle mesh, OBJ or STL", "", true}, s.file);
  visit_grid_spacing(v, "grid_spacing_m", s.grid_spacing_m);
}

/// A shape and, where it is a mesh, the owner of its samples.
Shape shape_of(const ShapeEntry& entry, SceneFiles* files,
               std::shared_ptr<const DistanceGrid>* grid);
Shape shape_of(const SolidEntry& entry, SceneFiles* files,
               std::shared_ptr<const DistanceGrid>* grid);

/// Of the shape, in its own frame.
SolidIntegrals integrals_of(const SolidEntry& entry, const Shape& shape, SceneFiles* files);

}  // namespace nodia
