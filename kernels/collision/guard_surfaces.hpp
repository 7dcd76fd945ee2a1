/// Whether soft surfaces stay apart in a step, as kernels: no vertex and no edge of one is near
/// another, or near itself, when it begins, and no vertex can have come through one when it ends.
/// Vertices come from nodes that the launcher's memory has; triangles lie in the trees in an order
/// that is fixed.
#pragma once

#include "kernels/collision/passage.hpp"
#include "kernels/collision/search_surfaces.hpp"
#include "kernels/collision/soft_edges.hpp"

namespace nodia {

/// Beside its SearchedSurface, whose vertices it brings.
struct GuardedSurface {
  std::int32_t n_vertex = 0;
  const std::int32_t* node = nullptr;  ///< [n_vertex]
  // Of the nodes, three numbers each: positions [m], velocities [m/s], those without contact [m/s].
  const double *x = nullptr, *v = nullptr, *v_free = nullptr;
  const double* end = nullptr;      ///< positions at the end of the step, kNodeStride apart [m]
  Vec3d* vertex_x = nullptr;        ///< SoftSurface::x
  PointMotion* vertex_v = nullptr;  ///< SoftSurface::v
  SoftEdges edges;
  Bounds* way_of_chunk = nullptr;  ///< [item_count(n_vertex)]: around ways of vertices in the step
  Bounds* ways = nullptr;          ///< around all of them [m]

  bool operator==(const GuardedSurface&) const = default;
};

/// Of environments side by side. Flags are [search][chunk]: 1 where it holds of something in the
/// chunk.
struct SurfaceGuard {
  SurfaceBatch searches;  ///< both directions of every pair; none: nothing can be near
  const GuardedSurface* surface = nullptr;     ///< [n_surface]
  int n_sharp = 0;                             ///< of the surface with the most sharp edges
  const std::int32_t* first_search = nullptr;  ///< [n_env + 1]
  std::uint8_t* near_vertices = nullptr;       ///< a vertex is in a pair
  std::uint8_t* near_edges = nullptr;          ///< a sharp edge is in a pair
  std::uint8_t* passages = nullptr;            ///< a vertex may have come through
  std::int32_t* is_apart = nullptr;            ///< out, one: 1 where none is near, else 0

  bool operator==(const SurfaceGuard&) const = default;
};

/// Vertices from their nodes.
struct GatherVertices : ElementKernel<GatherVertices, GuardedSurface> {
  NODIA_HD static int size(const GuardedSurface& own) { return own.n_vertex; }
  template <class Memory>
  NODIA_HD static void visit(const GuardedSurface& own, int vertex, Memory memory) {
    const std::int32_t node = own.node[vertex];
    const auto of_node = [&](const double* vectors) {
      return memory.template load_unpadded_node<double>(vectors, node);
    };
    memory.write(own.vertex_x + vertex, of_node(own.x));
    memory.write(own.vertex_v + vertex, finite_motion(of_node(own.v), of_node(own.v_free)));
  }
};

/// Flags of the chunks of elements of every search: item s n_chunk + c is chunk c of search s. Own
/// has holds(search, k, memory), where k may be beyond the search's elements.
template <class Own>
struct FlagChunks {
  SurfaceGuard guard;
  std::uint8_t* flag = nullptr;  ///< out
  int n_chunk = 1;               ///< of the search with the most elements

  struct Shared {
    std::int32_t holds[kBlockLanes];
  };
  static constexpr int kPhases = 2;
  static constexpr PhaseShape shape(int phase) { return {phase == 0 ? kBlockLanes : 1, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      const VertexSearch& search = guard.searches.search[item / n_chunk];
      const int k = item % n_chunk * kBlockLanes + lane;
      const bool holds = static_cast<const Own&>(*this).holds(search, k, memory);
      memory.write(&shared.holds[lane], holds ? 1 : 0);
    } else {
      std::uint8_t any = 0;
      for (int l = 0; l < kBlockLanes; ++l)
        if (memory.read(&shared.holds[l]) != 0) any = 1;
      memory.write(flag + item, any);
    }
  }

 protected:
  NODIA_HD EdgedSurface edged(std::int32_t surface) const {
    return {guard.searches.surface[surface].surface, guard.surface[surface].edges};
  }
};

/// Whether a vertex is in a pair.
struct FlagNearVertices : FlagChunks<FlagNearVertices> {
  static constexpr int kLeastResidentBlocks = 1;  // with more it would not keep to its registers

  template <class Memory>
  NODIA_HD bool holds(const VertexSearch& search, int vertex, Memory memory) const {
    SurfaceHit hit;
    return vertex < guard.searches.surface[search.i].surface.n_vertex &&
           find_pair(guard.searches, search, vertex, &hit, memory);
  }
};

/// Whether a sharp edge of i is in a pair with an edge of j; pairs whose edges have passed each
/// other count whatever lies around them, as do those that vertices would cover.
struct FlagNearEdges : FlagChunks<FlagNearEdges> {
  static constexpr int kLeastResidentBlocks = 1;  // with more it would not keep to its registers

  template <class Memory>
  NODIA_HD bool holds(const VertexSearch& search, int k, Memory memory) const {
    const SearchedSurface &i = guard.searches.surface[search.i],
                          &j = guard.searches.surface[search.j];
    const SoftEdges &of_i = guard.surface[search.i].edges, &of_j = guard.surface[search.j].edges;
    if (k >= of_i.n_sharp || !j.surface.is_closed) return false;
    const BodyExtent at_i = memory.read(i.extent), at_j = memory.read(j.extent);
    if (!may_meet(search, at_i, at_j)) return false;
    const bool is_self = search.i == search.j;
    const double depth = smaller(of_j.depth_m, of_i.depth_m),
                 reach = edge_reach(at_i, at_j, depth, search.reach);
    const std::int32_t e = of_i.sharp[k];
    const Bounds box = edged(search.i).box(e, memory).grown(reach);
    if (box.is_empty() || !box.overlaps(at_j.box)) return false;
    const auto is_pair = [&](std::int32_t f) {
      const bool in_order = is_self ? e < f : search.i < search.j;
      const std::int32_t first = in_order ? search.i : search.j,
                         second = in_order ? search.j : search.i;
      const EdgedSurface a = edged(first), b = edged(second);
      const std::int32_t of_a = in_order ? e : f, of_b = in_order ? f : e;
      EdgeContact c;
      return find_soft_edge_contact(a, of_a, b, of_b, is_self, depth, reach, &c, memory) &&
             is_within_reach(c.distance - (i.surface.thickness_m + j.surface.thickness_m), c.normal,
                             a.velocity(of_a, c.s, memory), b.velocity(of_b, c.t, memory),
                             {is_self}, search.reach);
    };
    return j.tree.any_overlap(
        box,
        [&](std::int32_t t) {
          for (int side = 0; side < 3; ++side) {
            const std::int32_t f = j.surface.triangle_edge[std::int64_t{3} * t + side];
            const std::int32_t first = j.surface.edge_begin[f];
            // Once, from the first of its two triangles.
            if (j.surface.edge_begin[f + 1] - first != 2 || j.surface.around_edge[first] != t ||
                !box.overlaps(edged(search.j).box(f, memory)))
              continue;
            if (is_pair(f)) return true;
          }
          return false;
        },
        memory);
  }
};

/// SurfaceGuard::is_apart, one item.
struct TellWhetherApart {
  SurfaceGuard guard;
  int n_vertex_chunk = 0, n_edge_chunk = 0;  ///< flags

  struct Shared {
    std::int32_t apart[kBlockLanes];
  };
  static constexpr int kPhases = 2;
  static constexpr PhaseShape shape(int phase) { return {phase == 0 ? kBlockLanes : 1, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class, class Memory>
  NODIA_HD void run(int, int lane, Shared& shared, Memory memory) const {
    std::int32_t apart = 1;
    if constexpr (phase == 0) {
      const auto look_at = [&](const std::uint8_t* flag, int n) {
        for (int k = lane; k < n; k += kBlockLanes)
          if (memory.read(flag + k) != 0) apart = 0;
      };
      look_at(guard.near_vertices, n_vertex_chunk);
      look_at(guard.near_edges, n_edge_chunk);
      memory.write(&shared.apart[lane], apart);
    } else {
      for (int l = 0; l < kBlockLanes; ++l)
        if (memory.read(&shared.apart[l]) == 0) apart = 0;
      memory.write(guard.is_apart, apart);
    }
  }
};

/// Boxes around the ways of chunks of vertices in the step.
struct WayBounds : ChunkBounds<WayBounds, GuardedSurface> {
  NODIA_HD static int size(const GuardedSurface& own) { return own.n_vertex; }
  NODIA_HD static Bounds* out(const GuardedSurface& own) { return own.way_of_chunk; }
  template <class Memory>
  NODIA_HD static Vec3d end_of(const GuardedSurface& own, int vertex, Memory memory) {
    return memory.template load_node<double>(own.end, own.node[vertex]);
  }
  template <class Memory>
  NODIA_HD static Bounds bounds(const GuardedSurface& own, int vertex, Memory memory) {
    Bounds box;
    const Vec3d from = memory.read(own.vertex_x + vertex), to = end_of(own, vertex, memory);
    if (is_finite(from) && is_finite(to)) box.add(to - from);
    return box;
  }
};

/// GuardedSurface::ways, an item each.
struct FoldWays {
  const GuardedSurface* surface = nullptr;

  using Shared = BoundsReduction;
  static constexpr int kPhases = 2 + Shared::kSteps;
  static constexpr PhaseShape shape(int phase) {
    if (phase == 0) return {kBlockLanes, false};
    return phase <= Shared::kSteps ? Shared::shape(phase - 1) : PhaseShape{1, false};
  }
  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const GuardedSurface& own = surface[item];
    if constexpr (phase == 0) {
      Bounds box;
      for (int c = lane; c < item_count(own.n_vertex); c += kBlockLanes)
        box.add(memory.read(own.way_of_chunk + c));
      shared.fill(lane, box, memory);
    } else if constexpr (phase <= Shared::kSteps) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      memory.write(own.ways, shared.bounds(memory));
    }
  }
};

/// Whether the way of a vertex of i, as seen from some point of j and longer than the margin, meets
/// the box of a triangle of j that is not left out.
struct FlagPassages : FlagChunks<FlagPassages> {
  static constexpr int kLeastResidentBlocks = 1;  // with more it would not keep to its registers

  template <class Memory>
  NODIA_HD bool holds(const VertexSearch& search, int vertex, Memory memory) const {
    const SearchedSurface &i = guard.searches.surface[search.i],
                          &j = guard.searches.surface[search.j];
    if (vertex >= i.surface.n_vertex) return false;
    const Vec3d from = i.surface.position(vertex, memory),
                to = WayBounds::end_of(guard.surface[search.i], vertex, memory);
    const Bounds moved = memory.read(guard.surface[search.j].ways);
    if (!(relative_speed(to - from, moved) > search.reach.margin_m)) return false;
    const Bounds swept = way_seen_from(moved, from, to);
    if (swept.is_empty() || !swept.overlaps(memory.read(j.extent).box)) return false;
    const bool is_self = search.i == search.j;
    return j.tree.any_overlap(
        swept, [&](std::int32_t t) { return !is_self || !j.surface.leaves_out(vertex, t); },
        memory);
  }
};

/// SurfaceGuard::is_apart, once the nodes' velocities without contact are there; nothing where
/// there are no searches.
/// @param launcher  launch(name, kernel, n_item) runs a kernel; launches follow each other
template <class Launcher>
void launch_guard(Launcher&& launcher, const SurfaceGuard& guard) {
  const SurfaceBatch& batch = guard.searches;
  if (batch.n_search == 0) return;
  launch_elements(launcher, "gather_vertices", GatherVertices{}, guard.surface, batch.n_surface,
                  batch.n_vertex);
  launch_extents(launcher, batch);
  launch_trees(launcher, batch);
  const auto flag = [&](const char* name, auto kernel, std::uint8_t* out, int n) {
    kernel.guard = guard;
    kernel.flag = out;
    kernel.n_chunk = item_count(n);
    if (n > 0) launcher.launch(name, kernel, batch.n_search * kernel.n_chunk);
    return batch.n_search * kernel.n_chunk;
  };
  TellWhetherApart tell;
  tell.guard = guard;
  tell.n_vertex_chunk =
      flag("flag_near_vertices", FlagNearVertices{}, guard.near_vertices, batch.n_vertex);
  tell.n_edge_chunk = flag("flag_near_edges", FlagNearEdges{}, guard.near_edges, guard.n_sharp);
  launcher.launch("tell_whether_apart", tell, 1);
}

/// SurfaceGuard::passages, once the ends of the step are there and before any vertex is moved.
template <class Launcher>
void launch_passages(Launcher&& launcher, const SurfaceGuard& guard) {
  const SurfaceBatch& batch = guard.searches;
  if (batch.n_search == 0) return;
  const int n_chunk = item_count(batch.n_vertex);
  WayBounds ways;
  ways.surface = guard.surface;
  ways.n_chunk = n_chunk;
  launcher.launch("way_bounds", ways, batch.n_surface * n_chunk);
  launcher.launch("fold_ways", FoldWays{guard.surface}, batch.n_surface);
  FlagPassages flag;
  flag.guard = guard;
  flag.flag = guard.passages;
  flag.n_chunk = n_chunk;
  launcher.launch("flag_passages", flag, batch.n_search * n_chunk);
}

}  // namespace nodia
