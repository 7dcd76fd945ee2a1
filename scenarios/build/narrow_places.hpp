/// Finds parts of bodies that are smaller than the distance at which contacts are searched.
#pragma once

#include <string>
#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

/// Gap or sheet that is narrower than the contact margin.
struct NarrowPlace {
  enum class Kind { gap, sheet } kind = Kind::gap;
  std::string path;   ///< dotted path of its object, such as `obstacles.nut`
  double size_m = 0;  ///< width of the gap, thickness of the sheet
};

/// Narrow places of a scene, at most one per object.
/// - gap: outside a collision mesh, two of its faces are opposite each other at less than the
///   margin; tested in front of the middle of each triangle, of at most 20000.
/// - sheet: 2 V/A of a soft body, the mean thickness if it is thin, is less than the margin.
std::vector<NarrowPlace> narrow_places(const Scene& scene);

}  // namespace nodia
