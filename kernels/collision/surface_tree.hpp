/// Complete binary tree of boxes over triangles that are sorted by their cells, without pointers.
/// It speeds up the search; the nearest triangle does not depend on it (not_below).
#pragma once

#include <cstdint>

#include "kernels/collision/bounds.hpp"

namespace nodia {

/// Bits of a cell's position along an axis: a surface's box has 2^kCellAxisBits cells along it.
inline constexpr int kCellAxisBits = 10;

namespace detail {
/// Spreads the lowest kCellAxisBits bits, with two zeros between any two.
NODIA_HD std::uint32_t spread_bits(std::uint32_t a) {
  a = (a | a << 16) & 0x030000ffU;
  a = (a | a << 8) & 0x0300f00fU;
  a = (a | a << 4) & 0x030c30c3U;
  return (a | a << 2) & 0x09249249U;
}
NODIA_HD std::uint32_t cell_along(double at, double lo, double hi) {
  constexpr double kCells = 1 << kCellAxisBits;
  const double cell = kCells * ((at - lo) / (hi - lo));
  return cell >= 0 ? static_cast<std::uint32_t>(smaller(cell, kCells - 1)) : 0;
}
}  // namespace detail

/// Cell of a point of the box: interleaved bits of its positions along the axes, so that points
/// with near cells are near each other. At most 2^(3 kCellAxisBits) - 1; undefined for NaN.
NODIA_HD std::uint32_t cell_of(Vec3d p, const Bounds& box) {
  return detail::spread_bits(detail::cell_along(p.x, box.lo.x, box.hi.x)) |
         detail::spread_bits(detail::cell_along(p.y, box.lo.y, box.hi.y)) << 1 |
         detail::spread_bits(detail::cell_along(p.z, box.lo.z, box.hi.z)) << 2;
}

/// Levels below the root for n triangles.
inline int tree_levels(int n) {
  int levels = 0;
  while ((std::int64_t{1} << levels) < n) ++levels;
  return levels;
}

struct SurfaceTree {
  static constexpr int kMostLevels = 30;

  int n_level = 0;     ///< levels below the root, node 1; children of k: 2 k, 2 k + 1
  int n_triangle = 0;  ///< at positions 0, 1, ... of the 2^n_level leaves
  const std::int32_t* triangle = nullptr;  ///< by position
  const Bounds* triangle_box = nullptr;    ///< by triangle
  const Bounds* box = nullptr;             ///< of the nodes above the leaves, [2^n_level]

  bool operator==(const SurfaceTree&) const = default;

  NODIA_HD std::int32_t n_place() const { return std::int32_t{1} << n_level; }
  /// Box of a node; empty if the node has no triangle.
  template <class Memory>
  NODIA_HD Bounds box_of(std::int32_t node, Memory memory) const {
    const std::int32_t place = node - n_place();
    if (place < 0) return memory.read(box + node);
    return place < n_triangle ? memory.read(triangle_box + memory.read(triangle + place))
                              : Bounds{};
  }

  /// True if test(triangle) holds for a triangle whose box overlaps `met`.
  template <class Test, class Memory>
  NODIA_HD bool any_overlap(const Bounds& met, const Test& test, Memory memory) const {
    std::int32_t stack[kMostLevels + 1];
    int depth = 0;
    stack[depth++] = 1;
    while (depth > 0) {
      const std::int32_t node = stack[--depth], place = node - n_place();
      if (place >= n_triangle || !box_of(node, memory).overlaps(met)) continue;
      if (place < 0) {
        stack[depth++] = 2 * node + 1;
        stack[depth++] = 2 * node;
      } else if (test(memory.read(triangle + place))) {
        return true;
      }
    }
    return false;
  }

  /// Nearest triangle to p, in the form of SoftSurface::find_closest.
  template <class Distance, class Memory>
  NODIA_HD std::int32_t nearest(Vec3d p, double squared_radius, const Distance& squared_distance,
                                Memory memory) const {
    struct Step {
      std::int32_t node;
      double squared_distance;
    };
    const auto step_to = [&](std::int32_t node) {
      return Step{node, box_of(node, memory).squared_distance(p)};
    };
    Step stack[kMostLevels + 1];
    int depth = 0;
    double least = squared_radius;
    std::int32_t best = -1;
    stack[depth++] = step_to(1);
    while (depth > 0) {
      const Step step = stack[--depth];
      if (!(step.squared_distance <= least)) continue;
      const std::int32_t place = step.node - n_place();
      if (place >= n_triangle) continue;
      if (place >= 0) {
        const std::int32_t t = memory.read(triangle + place);
        const double d2 = not_below(step.squared_distance, squared_distance(t));
        if (!(d2 < least || (d2 == least && best >= 0 && t < best))) continue;
        least = d2;
        best = t;
        continue;
      }
      const Step first = step_to(2 * step.node), second = step_to(2 * step.node + 1);
      const bool in_order = first.squared_distance <= second.squared_distance;
      const Step &near = in_order ? first : second, &far = in_order ? second : first;
      if (far.squared_distance <= least) stack[depth++] = far;
      if (near.squared_distance <= least) stack[depth++] = near;
    }
    return best;
  }
};

}  // namespace nodia
