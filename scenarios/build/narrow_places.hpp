/// Finds parts of bodies that are smaller than the distance at which contacts are searched, and
/// cables whose links are too long for their stiffness.
#pragma once

#include <string>
#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

struct NarrowPlace {
  enum class Kind { gap, sheet, links } kind = Kind::gap;
  std::string path;    ///< dotted path of its object, such as `obstacles.nut`
  double size_m = 0;   ///< gap: width; sheet: thickness; links: length of a link
  double bound_m = 0;  ///< what the size must not fall below, or for links must not exceed
  int links = 0;       ///< links: the number of links that are short enough; else 0
};

/// Narrow places of a scene, at most one per object.
/// - gap: outside a collision mesh, two of its faces are opposite each other at less than the
///   contact margin; tested in front of the middle of each triangle, of at most 20000.
/// - sheet: 2 V/A of a soft body, the mean thickness if it is thin, is less than the margin.
/// - links: longer than (2 pi E I/(rho A g))^(1/3). The weight of such a link bends its joint by
///   more than 180 degrees.
std::vector<NarrowPlace> narrow_places(const Scene& scene);

}  // namespace nodia
