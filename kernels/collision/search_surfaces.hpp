/// Boxes and trees of many soft surfaces at once, and the search of vertices near surfaces in them.
/// The order of a tree's triangles does not affect the results.
#pragma once

#include "kernels/collision/soft_surface.hpp"
#include "kernels/collision/surface_tree.hpp"
#include "kernels/launch/kernel.hpp"
#include "kernels/launch/reduction.hpp"

namespace nodia {

/// Surface of the batch, and results of the kernels in a step.
struct SearchedSurface {
  SoftSurface surface;
  SurfaceTree tree;
  Vec3d* normal = nullptr;           ///< SoftSurface::normal
  Bounds* triangle_box = nullptr;    ///< SurfaceTree::triangle_box
  Bounds* box_of_chunk = nullptr;    ///< [item_count(n_triangle)]
  Bounds* speed_of_chunk = nullptr;  ///< [item_count(n_vertex)]: see BodyExtent::velocities
  BodyExtent* extent = nullptr;
  Bounds* tree_box = nullptr;  ///< SurfaceTree::box

  bool operator==(const SearchedSurface&) const = default;
};

/// Search of vertices of i near j. Slots are counted over all searches; the slots of a search's
/// vertices are consecutive.
struct VertexSearch {
  std::int32_t i = 0, j = 0;  ///< surfaces of the batch
  std::int32_t first_slot = 0;
  DetectionReach reach;

  bool operator==(const VertexSearch&) const = default;
};

/// Data of the kernels of one batch of searches.
struct SurfaceBatch {
  int n_surface = 0, n_search = 0;
  int n_vertex = 0, n_triangle = 0, n_level = 0;  ///< of the largest surface
  const SearchedSurface* surface = nullptr;       ///< [n_surface]
  const VertexSearch* search = nullptr;           ///< [n_search]

  bool operator==(const SurfaceBatch&) const = default;
};

/// Boxes of chunks, combined over the lanes of a block.
struct BoundsReduction : BlockReduction<Combine::max, Combine::max, Combine::max, Combine::max,
                                        Combine::max, Combine::max> {
  template <class Memory>
  NODIA_HD void fill(int lane, const Bounds& b, Memory memory) {
    for (int axis = 0; axis < 3; ++axis) {
      memory.write(&term[axis][lane], -b.lo[axis]);
      memory.write(&term[3 + axis][lane], b.hi[axis]);
    }
  }
  template <class Memory>
  NODIA_HD Bounds bounds(Memory memory) const {
    Bounds b;
    for (int axis = 0; axis < 3; ++axis) {
      b.lo[axis] = -result(axis, memory);
      b.hi[axis] = result(3 + axis, memory);
    }
    return b;
  }
};

/// Computes the box of a chunk of elements of every surface. Derived has size(own), bounds(own, k,
/// memory) and out(own).
template <class Derived, class Surface = SearchedSurface>
struct ChunkBounds {
  const Surface* surface = nullptr;
  int n_chunk = 1;  ///< chunks of the largest surface

  using Shared = BoundsReduction;
  static constexpr int kPhases = 2 + Shared::kSteps;
  static constexpr PhaseShape shape(int phase) {
    if (phase == 0) return {kBlockLanes, false};
    return phase <= Shared::kSteps ? Shared::shape(phase - 1) : PhaseShape{1, false};
  }
  template <class Memory>
  NODIA_HD bool enabled(int item, Memory) const {
    return item % n_chunk < item_count(Derived::size(surface[item / n_chunk]));
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const Surface& own = surface[item / n_chunk];
    const int chunk = item % n_chunk;
    if constexpr (phase == 0) {
      const int k = chunk * kBlockLanes + lane;
      shared.fill(lane, k < Derived::size(own) ? Derived::bounds(own, k, memory) : Bounds{},
                  memory);
    } else if constexpr (phase <= Shared::kSteps) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      memory.write(Derived::out(own) + chunk, shared.bounds(memory));
    }
  }
};

/// Computes normals and boxes of the triangles, and the boxes of their chunks.
struct TriangleBounds : ChunkBounds<TriangleBounds> {
  NODIA_HD static int size(const SearchedSurface& own) { return own.surface.n_triangle; }
  NODIA_HD static Bounds* out(const SearchedSurface& own) { return own.box_of_chunk; }
  template <class Memory>
  NODIA_HD static Bounds bounds(const SearchedSurface& own, int t, Memory memory) {
    const Vec3d a = own.surface.corner_position(t, 0, memory),
                b = own.surface.corner_position(t, 1, memory),
                c = own.surface.corner_position(t, 2, memory);
    const Bounds box = bounds_of_points(a, b, c);
    memory.write(own.normal + t, triangle_normal(a, b, c));
    memory.write(own.triangle_box + t, box);
    return box;
  }
};

/// Computes boxes of the velocities of chunks of vertices with finite positions.
struct SpeedBounds : ChunkBounds<SpeedBounds> {
  NODIA_HD static int size(const SearchedSurface& own) { return own.surface.n_vertex; }
  NODIA_HD static Bounds* out(const SearchedSurface& own) { return own.speed_of_chunk; }
  template <class Memory>
  NODIA_HD static Bounds bounds(const SearchedSurface& own, int vertex, Memory memory) {
    Bounds box;
    if (!is_finite(own.surface.position(vertex, memory))) return box;
    const PointMotion v = memory.read(own.surface.v + vertex);
    box.add(v.now);
    box.add(v.free);
    return box;
  }
};

/// Computes the extent of every surface, one item each.
struct FoldExtents {
  const SearchedSurface* surface = nullptr;

  struct Shared {
    BoundsReduction box, velocities;
  };
  using Reduction = BoundsReduction;
  static constexpr int kPhases = 2 + Reduction::kSteps;
  static constexpr PhaseShape shape(int phase) {
    if (phase == 0) return {kBlockLanes, false};
    return phase <= Reduction::kSteps ? Reduction::shape(phase - 1) : PhaseShape{1, false};
  }
  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const SearchedSurface& own = surface[item];
    if constexpr (phase == 0) {
      const auto joined = [&](const Bounds* chunk, int n) {
        Bounds box;
        for (int c = lane; c < item_count(n); c += kBlockLanes) box.add(memory.read(chunk + c));
        return box;
      };
      shared.box.fill(lane, joined(own.box_of_chunk, own.surface.n_triangle), memory);
      shared.velocities.fill(lane, joined(own.speed_of_chunk, own.surface.n_vertex), memory);
    } else if constexpr (phase <= Reduction::kSteps) {
      shared.box.template run<phase - 1, Isa>(lane, memory);
      shared.velocities.template run<phase - 1, Isa>(lane, memory);
    } else {
      BodyExtent extent;
      extent.box = shared.box.bounds(memory);
      extent.velocities = shared.velocities.bounds(memory);
      extent.thickness = own.surface.thickness_m;
      memory.write(own.extent, extent);
    }
  }
};

/// Computes the boxes up to kLevels above a level; an item has kBlockLanes nodes of that level.
struct JoinBoxes {
  static constexpr int kLevels = 8;  // log2(kBlockLanes)

  const SearchedSurface* surface = nullptr;
  int n_chunk = 1;  ///< chunks of the largest surface
  int above = 0;    ///< the level, counted from the bottom

  using Shared = NoShared;
  static constexpr int kPhases = kLevels;
  static constexpr PhaseShape shape(int phase) { return {kBlockLanes >> (phase + 1), false}; }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory) const {
    const int level = surface[item / n_chunk].tree.n_level - above;
    return level > 0 && (std::int64_t{item % n_chunk} * kBlockLanes) >> level == 0;
  }
  template <int phase, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    const SearchedSurface& own = surface[item / n_chunk];
    const int level = own.tree.n_level - above - phase - 1;
    if (level < 0) return;
    const std::int32_t k = item % n_chunk * (kBlockLanes >> (phase + 1)) + lane;
    if (k >> level != 0) return;
    const std::int32_t node = (std::int32_t{1} << level) + k;
    Bounds box = own.tree.box_of(2 * node, memory);
    box.add(own.tree.box_of(2 * node + 1, memory));
    memory.write(own.tree_box + node, box);
  }
};

/// True if points of two surfaces of a search may form pairs, according to their boxes.
NODIA_HD bool may_collide(const VertexSearch& search, const BodyExtent& at_i,
                          const BodyExtent& at_j) {
  if (search.i == search.j) return true;
  return search.i < search.j ? may_collide(at_i, at_j, search.reach)
                             : may_collide(at_j, at_i, search.reach);
}

/// Gap of a vertex with finite position near j [m].
NODIA_HD double vertex_gap(const SurfaceBatch& batch, const VertexSearch& search,
                           const SurfaceHit& hit) {
  return hit.distance - (batch.surface[search.i].surface.thickness_m +
                         batch.surface[search.j].surface.thickness_m);
}

/// True if a vertex is in a pair of a search; writes the pair.
template <class Memory>
NODIA_HD bool find_pair(const SurfaceBatch& batch, const VertexSearch& search, int vertex,
                        SurfaceHit* hit, Memory memory) {
  const SearchedSurface &i = batch.surface[search.i], &j = batch.surface[search.j];
  const bool is_self = search.i == search.j;
  const BodyExtent at_i = memory.read(i.extent), at_j = memory.read(j.extent);
  if (!may_collide(search, at_i, at_j)) return false;
  const Vec3d p = i.surface.position(vertex, memory);
  const auto nearest = [&](double squared_radius, const auto& squared_distance) {
    return j.tree.nearest(p, squared_radius, squared_distance, memory);
  };
  if (!find_vertex_hit(i.surface, at_i, vertex, j.surface, at_j, is_self, search.reach, nearest,
                       hit, memory))
    return false;
  const PointMotion v = memory.read(i.surface.v + vertex);
  return is_within_reach(vertex_gap(batch, search, *hit), hit->normal, v,
                         j.surface.velocity(*hit, memory), {is_self}, search.reach);
}

/// Launches the normals and boxes of the triangles, and the extents of the surfaces.
template <class Launcher>
void launch_extents(Launcher&& launcher, const SurfaceBatch& batch) {
  const auto launch = [&](const char* name, auto kernel, int n) {
    kernel.surface = batch.surface;
    kernel.n_chunk = item_count(n);
    launcher.launch(name, kernel, batch.n_surface * kernel.n_chunk);
  };
  launch("triangle_bounds", TriangleBounds{}, batch.n_triangle);
  launch("speed_bounds", SpeedBounds{}, batch.n_vertex);
  launcher.launch("fold_extents", FoldExtents{batch.surface}, batch.n_surface);
}
/// Launches the boxes of the trees, after launch_extents.
template <class Launcher>
void launch_trees(Launcher&& launcher, const SurfaceBatch& batch) {
  for (int above = 0; above < batch.n_level; above += JoinBoxes::kLevels) {
    const int n_chunk = item_count(1 << (batch.n_level - above));
    launcher.launch("join_boxes", JoinBoxes{batch.surface, n_chunk, above},
                    batch.n_surface * n_chunk);
  }
}

}  // namespace nodia
