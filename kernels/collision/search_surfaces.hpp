/// Kernels that search vertices of soft surfaces near soft surfaces, for many surfaces at once.
/// They compute boxes, cells and keys. After a sort by the keys (kernels/launch/sort_pairs.hpp or
/// its device counterpart) they build trees of boxes and flag the vertices whose nearest triangle
/// forms a pair. After a selection of the flags (kernels/launch/select_flagged.hpp or its
/// counterpart) they write the pairs in the order of the slots. The orders of the sort and of the
/// blocks do not affect the results.
#pragma once

#include "kernels/collision/soft_surface.hpp"
#include "kernels/collision/surface_tree.hpp"
#include "kernels/launch/element_kernel.hpp"
#include "kernels/launch/reduction.hpp"

namespace nodia {

/// Surface of the batch, and results of the kernels in a step.
struct SearchedSurface {
  SoftSurface surface;
  SurfaceTree tree;
  /// Its number times 2^kCellBits, so that keys of a surface are contiguous.
  std::uint64_t first_key = 0;
  Vec3d* normal = nullptr;           ///< SoftSurface::normal
  Bounds* triangle_box = nullptr;    ///< SurfaceTree::triangle_box
  Bounds* box_of_chunk = nullptr;    ///< [item_count(n_triangle)]
  Bounds* speed_of_chunk = nullptr;  ///< [item_count(n_vertex)]: see BodyExtent::velocities
  BodyExtent* extent = nullptr;
  std::uint64_t* key = nullptr;      ///< [n_triangle]
  std::int32_t* unsorted = nullptr;  ///< [n_triangle]: triangles in the order of the keys
  Bounds* tree_box = nullptr;        ///< SurfaceTree::box

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
  std::uint8_t* flag = nullptr;                   ///< [n_slot]: 1 if the slot's vertex is in a pair
  const std::int32_t* slot = nullptr;             ///< [n_pair]: the flagged slots, ascending
  int n_pair = 0;                                 ///< number of flagged slots
  SurfaceHit* hit = nullptr;                      ///< [n_pair]: hits of the flagged slots

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

/// Computes the keys of all triangles: the surface, then the cell of the middle in its box.
struct CellKeys : ElementKernel<CellKeys, SearchedSurface> {
  static constexpr int kLeastResidentBlocks = 4;  // more would spill registers
  NODIA_HD static int size(const SearchedSurface& own) { return own.surface.n_triangle; }
  template <class Memory>
  NODIA_HD static void visit(const SearchedSurface& own, int t, Memory memory) {
    const Bounds box = memory.read(own.triangle_box + t), all = memory.read(own.extent).box;
    const std::uint32_t cell = cell_of(0.5 * (box.lo + box.hi), all);
    memory.write(own.key + t, own.first_key + cell);
    memory.write(own.unsorted + t, static_cast<std::int32_t>(t));
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

/// Sets the flags of the slots of every search.
struct FlagVertices : EnvironmentKernel<FlagVertices> {
  static constexpr int kLeastResidentBlocks = 1;  // more would spill registers
  SurfaceBatch batch;

  template <class Memory>
  NODIA_HD void visit(int search, int vertex, Memory memory) const {
    const VertexSearch& own = batch.search[search];
    if (vertex >= batch.surface[own.i].surface.n_vertex) return;
    SurfaceHit hit;
    const bool found = find_pair(batch, own, vertex, &hit, memory);
    memory.write(batch.flag + own.first_slot + vertex, static_cast<std::uint8_t>(found ? 1 : 0));
  }
};

/// Writes the pairs of the selected slots. It computes them again: few of many slots have a pair,
/// and storing all of them would take more memory than the model.
struct WriteHits : FlatListKernel<WriteHits> {
  static constexpr int kLeastResidentBlocks = 1;  // more would spill registers
  SurfaceBatch batch;

  template <class Memory>
  NODIA_HD void visit(int k, Memory memory) const {
    const std::int32_t slot = memory.read(batch.slot + k);
    int search = 0;
    for (int end = batch.n_search; end - search > 1;) {
      const int middle = search + (end - search) / 2;
      (batch.search[middle].first_slot <= slot ? search : end) = middle;
    }
    const VertexSearch& own = batch.search[search];
    SurfaceHit hit;
    find_pair(batch, own, slot - own.first_slot, &hit, memory);
    memory.write(batch.hit + k, hit);
  }
};

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
/// Launches the boxes of the trees, after launch_extents and the sort of the triangles.
template <class Launcher>
void launch_trees(Launcher&& launcher, const SurfaceBatch& batch) {
  for (int above = 0; above < batch.n_level; above += JoinBoxes::kLevels) {
    const int n_chunk = item_count(1 << (batch.n_level - above));
    launcher.launch("join_boxes", JoinBoxes{batch.surface, n_chunk, above},
                    batch.n_surface * n_chunk);
  }
}

/// Launches the searches in order, the same for every launcher. Between the first and the second
/// function the caller sorts the keys, from SearchedSurface::key and unsorted to
/// SurfaceTree::triangle; between the second and the third it selects the flags.
template <class Launcher>
void launch_cell_keys(Launcher&& launcher, const SurfaceBatch& batch) {
  launch_extents(launcher, batch);
  launch_elements(launcher, "cell_keys", CellKeys{}, batch.surface, batch.n_surface,
                  batch.n_triangle);
}
template <class Launcher>
void launch_flag_vertices(Launcher&& launcher, const SurfaceBatch& batch) {
  launch_trees(launcher, batch);
  FlagVertices flag;
  flag.batch = batch;
  launch_environments(launcher, "flag_vertices", flag, batch.n_search, batch.n_vertex);
}
template <class Launcher>
void launch_write_hits(Launcher&& launcher, const SurfaceBatch& batch) {
  WriteHits write;
  write.batch = batch;
  launch_list(launcher, "write_hits", write, batch.n_pair);
}

}  // namespace nodia
