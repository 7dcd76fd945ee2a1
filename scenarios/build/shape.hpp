/// Shapes of obstacles and rigid bodies.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "fem/mesh/solid_integrals.hpp"
#include "host/scene/keys.hpp"
#include "kernels/contact/shapes.hpp"
#include "scenarios/build/scene_files.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

/// An analytic shape. T is its entry in the table of shapes.
template <class T>
struct SizedShape {
  static constexpr const char* kName = T::kName;
  Shape shape{T::kKind};
};

struct MeshShape {
  static constexpr const char* kName = GridShape::kName;
  std::string file;
  std::optional<double> grid_spacing_m;  ///< absent: default_grid_spacing()
};

template <class T>
struct EntryOf {
  using Type = SizedShape<T>;
};
template <>
struct EntryOf<GridShape> {
  using Type = MeshShape;
};
template <class List>
struct EntriesOf;
template <class... Ts>
struct EntriesOf<ShapeList<Ts...>> {
  using Type = std::variant<typename EntryOf<Ts>::Type...>;
};

/// Any shape. The alternatives are in the order of the schema.
using ShapeEntry = EntriesOf<AllShapes>::Type;
/// A bounded analytic shape.
using SizedEntry = EntriesOf<SizedSolids>::Type;
/// A bounded shape: analytic or a mesh.
using SolidEntry = EntriesOf<SolidShapes>::Type;

/// Describes the poses of the shapes of a list in their frames: `in its own frame; NAME, NAME:
/// pose;
/// ...`.
template <class... Ts>
std::string place_of(ShapeList<Ts...>) {
  std::string text = "in its own frame", last;
  const auto add = [&](const std::string& name, const std::string& place) {
    if (place == last)
      text.insert(text.size() - place.size() - 2, ", " + name);
    else
      text += "; " + name + ": " + place;
    last = place;
  };
  (add(Ts::kName, Ts::kPlace), ...);
  return text;
}

template <class T>
void visit_keys(DocumentVisitor& v, SizedShape<T>& s) {
  for (const ShapeSize& size : T::kSizes) {
    const Key key{size.name, size.meaning, size.hint, true};
    if (size.real) v.real(key, s.shape.*size.real, Range::positive());
    if (size.vector) v.vector(key, s.shape.*size.vector, Range::positive());
  }
}

inline void visit_grid_spacing(DocumentVisitor& v, const char* key,
                               std::optional<double>& spacing_m) {
  v.optional({key,
              "of the signed-distance grids of meshes (OBJ or STL, closed), at most half of a "
              "mesh's smallest extent; left out: a 64th of its longest side or a quarter of its "
              "smallest extent, whichever is less [m]",
              "a tenth of the smallest feature"},
             spacing_m, [&](const Key& k, double& value) { v.real(k, value, Range::positive()); });
}

inline void visit_keys(DocumentVisitor& v, MeshShape& s) {
  v.file({"file", "closed triangle mesh, OBJ or STL", "", true}, s.file);
  visit_grid_spacing(v, "grid_spacing_m", s.grid_spacing_m);
}

/// Converts an entry to a shape.
/// @param files  in and out: files that were read before
/// @param grid   out: distance grid that the shape refers to. Set only for a mesh
/// @throws InputError if the mesh cannot be read or is not closed
Shape shape_of(const ShapeEntry& entry, SceneFiles* files,
               std::shared_ptr<const DistanceGrid>* grid);
Shape shape_of(const SolidEntry& entry, SceneFiles* files,
               std::shared_ptr<const DistanceGrid>* grid);

/// Volume, centre and inertia of a shape, in its own frame.
/// @param shape  result of shape_of() for the entry
SolidIntegrals integrals_of(const SolidEntry& entry, const Shape& shape, SceneFiles* files);

}  // namespace nodia
