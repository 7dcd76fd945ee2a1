/// Kernels that find pairs of soft surfaces, and self-contact pairs, at the start of a step
/// (vertices near triangles, edges near edges), and possible tunnelling of vertices at its end.
/// Vertices are gathered from the launcher's nodes; the triangles in the trees have a fixed order.
#pragma once

#include "kernels/collision/pair_slots.hpp"
#include "kernels/collision/search_surfaces.hpp"
#include "kernels/collision/soft_edges.hpp"
#include "kernels/collision/tunnelling.hpp"
#include "kernels/launch/any_lane.hpp"
#include "kernels/launch/element_kernel.hpp"
#include "kernels/launch/select_in_order.hpp"

namespace nodia {

/// Vertices and edges of a surface, in addition to its SearchedSurface.
struct PairedSurface {
  std::int32_t n_vertex = 0;
  const std::int32_t* node = nullptr;  ///< [n_vertex]
  // Node arrays of vectors: positions [m], velocities [m/s], velocities without contact [m/s].
  const double *x = nullptr, *v = nullptr, *v_free = nullptr;
  const double* end = nullptr;      ///< positions at the end of the step, kNodeStride apart [m]
  Vec3d* vertex_x = nullptr;        ///< SoftSurface::x
  PointMotion* vertex_v = nullptr;  ///< SoftSurface::v
  SoftEdges edges;
  Bounds* way_of_chunk = nullptr;  ///< [item_count(n_vertex)]: boxes of swept paths
  Bounds* ways = nullptr;          ///< box of all swept paths [m]

  bool operator==(const PairedSurface&) const = default;
};

/// Soft-soft pairs of a batch of environments.
struct PairedSurfaces {
  SurfaceBatch searches;  ///< both directions of every pair; empty: nothing may collide
  const PairedSurface* surface = nullptr;      ///< [n_surface]
  const std::int32_t* first_search = nullptr;  ///< [n_env + 1]
  PairTable pairs;
  FlagSelection selection;             ///< selection of PairTable::flag
  std::uint8_t* tunnelling = nullptr;  ///< [search][chunk of vertices]: 1 if one may have tunnelled

  bool operator==(const PairedSurfaces&) const = default;

  /// Number of flags of PairTable::beyond.
  NODIA_HD int n_beyond() const { return searches.n_search * item_count(pairs.n_edge); }
  NODIA_HD EdgedSurface edged(std::int32_t of) const {
    return {searches.surface[of].surface, surface[of].edges};
  }
  /// Edge search of a search that includes edges.
  template <class Memory>
  NODIA_HD EdgeSearch edges_of(const VertexSearch& search, Memory memory) const {
    const EdgedSurface i = edged(search.i), j = edged(search.j);
    const double depth = smaller(j.edges.depth_m, i.edges.depth_m);
    return {i, j, search.i == search.j, depth,
            edge_reach(memory.read(searches.surface[search.i].extent),
                       memory.read(searches.surface[search.j].extent), depth, search.reach)};
  }
};

/// Gathers vertices from their nodes.
struct GatherVertices : ElementKernel<GatherVertices, PairedSurface> {
  NODIA_HD static int size(const PairedSurface& own) { return own.n_vertex; }
  template <class Memory>
  NODIA_HD static void visit(const PairedSurface& own, int vertex, Memory memory) {
    const std::int32_t node = own.node[vertex];
    const auto of_node = [&](const double* vectors) {
      return memory.template load_unpadded_node<double>(vectors, node);
    };
    memory.write(own.vertex_x + vertex, of_node(own.x));
    memory.write(own.vertex_v + vertex, finite_motion(of_node(own.v), of_node(own.v_free)));
  }
};

/// Sets flags of the chunks of elements of every search: item s n_chunk + c is chunk c of search s.
/// Own has holds(s, k, memory), where k may exceed the search's elements.
template <class Own>
struct FlagChunks : AnyLane<FlagChunks<Own>> {
  PairedSurfaces paired;
  std::uint8_t* flag = nullptr;  ///< output
  int n_chunk = 1;               ///< chunks of the search with the most elements

  template <class Memory>
  NODIA_HD bool finds(int item, int lane, Memory memory) const {
    const int k = item % n_chunk * kBlockLanes + lane;
    return static_cast<const Own&>(*this).holds(item / n_chunk, k, memory);
  }
  template <class Memory>
  NODIA_HD void tell(int item, bool any, Memory memory) const {
    memory.write(flag + item, static_cast<std::uint8_t>(any ? 1 : 0));
  }
};

/// Finds the pairs of the vertices of every search.
struct FlagNearVertices : EnvironmentKernel<FlagNearVertices> {
  static constexpr int kLeastResidentBlocks = 1;  // more would spill registers
  PairedSurfaces paired;

  template <class Memory>
  NODIA_HD void visit(int s, int vertex, Memory memory) const {
    const VertexSearch& search = paired.searches.search[s];
    const PairTable& pairs = paired.pairs;
    if (vertex >= pairs.slots[s].n_vertex) return;
    SurfaceHit hit;
    const bool found = find_pair(paired.searches, search, vertex, &hit, memory);
    memory.write(pairs.flag + pairs.slots[s].first + vertex,
                 static_cast<std::uint8_t>(found ? 1 : 0));
    const std::int32_t at = search.first_slot + vertex;
    memory.write(pairs.gap + at, found ? vertex_gap(paired.searches, search, hit) : infinity());
    if (found) memory.write(pairs.normal + at, hit.normal);
  }
};

/// Surface of a search, in the form of is_real().
template <class Memory>
struct SearchedBody {
  const SearchedSurface& own;
  Memory memory;

  NODIA_HD bool contains(Vec3d p, double slack) const {
    const auto nearest = [&](double squared_radius, const auto& squared_distance) {
      return own.tree.nearest(p, squared_radius, squared_distance, memory);
    };
    return own.surface.contains(p, slack, memory.read(own.extent).box, nearest, memory);
  }
};

/// Finds the pairs of edges of i with edges of j, at least one of them sharp; self-contact pairs
/// belong to the lower edge. The flag of a chunk: an edge has more pairs than slots.
struct FlagNearEdges : FlagChunks<FlagNearEdges> {
  static constexpr int kLeastResidentBlocks = 1;  // more would spill registers

  template <class Memory>
  NODIA_HD bool holds(int s, int e, Memory memory) const {
    const PairTable& pairs = paired.pairs;
    const PairSlots& slots = pairs.slots[s];
    if (e >= slots.n_edge) return false;
    std::int32_t near[kEdgePairs] = {};
    int n = 0;
    const auto take = [&](std::int32_t f) {
      if (n == kEdgePairs) return true;
      int at = n++;
      for (; at > 0 && near[at - 1] > f; --at) near[at] = near[at - 1];
      near[at] = f;
      return false;
    };
    const bool is_beyond = find_pairs(s, e, take, memory);
    const std::int32_t first = slots.first + slots.n_vertex + kEdgePairs * e;
    for (int k = 0; k < kEdgePairs; ++k) {
      memory.write(pairs.flag + first + k, static_cast<std::uint8_t>(k < n ? 1 : 0));
      if (k < n) memory.write(pairs.other + slots.other(first + k), near[k]);
    }
    return is_beyond;
  }

 private:
  /// Calls take(f) for the edges f in a pair with e, until it returns true. @return true then
  template <class Take, class Memory>
  NODIA_HD bool find_pairs(int s, std::int32_t e, const Take& take, Memory memory) const {
    const VertexSearch& search = paired.searches.search[s];
    const SearchedSurface &i = paired.searches.surface[search.i],
                          &j = paired.searches.surface[search.j];
    const BodyExtent at_i = memory.read(i.extent), at_j = memory.read(j.extent);
    if (!may_collide(search, at_i, at_j)) return false;
    const EdgeSearch edges = paired.edges_of(search, memory);
    const bool is_sharp = edges.i.edges.is_sharp(e);
    if (!is_sharp && edges.j.edges.n_sharp == 0) return false;
    if (!edges.i.counts(e) || memory.read(i.triangle_box + edges.i.first_triangle(e)).is_empty())
      return false;
    const Bounds box = edges.i.box(e, memory), around = box.grown(edges.reach_m);
    if (box.is_empty() || !around.overlaps(at_j.box)) return false;
    const auto visit_triangle = [&](std::int32_t t) {
      for (int side = 0; side < 3; ++side) {
        const std::int32_t f = j.surface.triangle_edge[std::int64_t{3} * t + side];
        if (edges.is_self && !(e < f)) continue;
        if (!edges.j.counts(f) || edges.j.first_triangle(f) != t) continue;  // once per edge
        if (!is_sharp && !edges.j.edges.is_sharp(f)) continue;
        const Bounds other = edges.j.box(f, memory);
        const bool may_be_near =
            is_sharp ? around.overlaps(other) : other.grown(edges.reach_m).overlaps(box);
        if (may_be_near && is_pair(s, edges, e, f, memory) && take(f)) return true;
      }
      return false;
    };
    return j.tree.any_overlap(around, visit_triangle, memory);
  }

  template <class Memory>
  NODIA_HD bool is_pair(int s, const EdgeSearch& edges, std::int32_t e, std::int32_t f,
                        Memory memory) const {
    const VertexSearch& search = paired.searches.search[s];
    const auto ends_of = [&](const EdgedSurface& of, std::int32_t edge, std::int32_t in) {
      const std::int32_t first = paired.searches.search[in].first_slot;
      return [&pairs = paired.pairs, ends = of.edges.ends(edge), first, memory](int k) {
        const std::int32_t at = first + ends[k];
        EndPair pair{memory.read(pairs.gap + at), {}};
        if (pair.gap_m < infinity()) pair.normal = memory.read(pairs.normal + at);
        return pair;
      };
    };
    using Solid = SearchedBody<Memory>;
    EdgeContact c;
    return find_soft_edge_pair(edges, e, f, ends_of(edges.i, e, s),
                               ends_of(edges.j, f, paired.pairs.slots[s].partner),
                               Solid{paired.searches.surface[search.i], memory},
                               Solid{paired.searches.surface[search.j], memory}, &c, memory) &&
           is_within_reach(gap_of(edges, c), c.normal, edges.i.velocity(e, c.s, memory),
                           edges.j.velocity(f, c.t, memory), {edges.is_self}, search.reach);
  }
};

/// Computes boxes of the swept paths of chunks of vertices.
struct WayBounds : ChunkBounds<WayBounds, PairedSurface> {
  NODIA_HD static int size(const PairedSurface& own) { return own.n_vertex; }
  NODIA_HD static Bounds* out(const PairedSurface& own) { return own.way_of_chunk; }
  template <class Memory>
  NODIA_HD static Vec3d end_of(const PairedSurface& own, int vertex, Memory memory) {
    return memory.template load_node<double>(own.end, own.node[vertex]);
  }
  template <class Memory>
  NODIA_HD static Bounds bounds(const PairedSurface& own, int vertex, Memory memory) {
    Bounds box;
    const Vec3d from = memory.read(own.vertex_x + vertex), to = end_of(own, vertex, memory);
    if (is_finite(from) && is_finite(to)) box.add(to - from);
    return box;
  }
};

/// Computes PairedSurface::ways, one item per surface.
struct FoldWays {
  const PairedSurface* surface = nullptr;

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
    const PairedSurface& own = surface[item];
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

/// True if the swept path of a vertex of i, relative to some point of j and longer than the margin,
/// overlaps the box of a triangle of j that is not omitted, and the vertex is in no pair with j.
struct FlagTunnelling : FlagChunks<FlagTunnelling> {
  template <class Memory>
  NODIA_HD bool holds(int s, int vertex, Memory memory) const {
    const VertexSearch& search = paired.searches.search[s];
    const SearchedSurface &i = paired.searches.surface[search.i],
                          &j = paired.searches.surface[search.j];
    if (vertex >= i.surface.n_vertex) return false;
    if (memory.read(paired.pairs.flag + paired.pairs.slots[s].first + vertex) != 0) return false;
    const Vec3d from = i.surface.position(vertex, memory),
                to = WayBounds::end_of(paired.surface[search.i], vertex, memory);
    const Bounds moved = memory.read(paired.surface[search.j].ways);
    if (!(relative_speed(to - from, moved) > search.reach.margin_m)) return false;
    const Bounds swept = way_seen_from(moved, from, to);
    if (swept.is_empty() || !swept.overlaps(memory.read(j.extent).box)) return false;
    const bool is_self = search.i == search.j;
    return j.tree.any_overlap(
        swept, [&](std::int32_t t) { return !is_self || !j.surface.leaves_out(vertex, t); },
        memory);
  }
};

/// Computes PairedSurfaces::pairs and their selection. Needs the nodes' velocities without
/// contact. Does nothing without searches.
/// @param launcher  launch(name, kernel, n_item) runs kernels in order
template <class Launcher>
void launch_find_pairs(Launcher&& launcher, const PairedSurfaces& paired) {
  const SurfaceBatch& batch = paired.searches;
  if (batch.n_search == 0) return;
  launch_elements(launcher, "gather_vertices", GatherVertices{}, paired.surface, batch.n_surface,
                  batch.n_vertex);
  launch_extents(launcher, batch);
  launch_trees(launcher, batch);
  FlagNearVertices vertices;
  vertices.paired = paired;
  launch_environments(launcher, "flag_near_vertices", vertices, batch.n_search, batch.n_vertex);
  FlagNearEdges edges;
  edges.paired = paired;
  edges.flag = paired.pairs.beyond;
  edges.n_chunk = item_count(paired.pairs.n_edge);
  if (paired.n_beyond() > 0) launcher.launch("flag_near_edges", edges, paired.n_beyond());
  launch_selection(launcher, paired.selection);
}

/// Computes PairedSurfaces::tunnelling from the end positions, before any vertex is moved.
template <class Launcher>
void launch_tunnelling(Launcher&& launcher, const PairedSurfaces& paired) {
  const SurfaceBatch& batch = paired.searches;
  if (batch.n_search == 0) return;
  const int n_chunk = item_count(batch.n_vertex);
  WayBounds ways;
  ways.surface = paired.surface;
  ways.n_chunk = n_chunk;
  launcher.launch("way_bounds", ways, batch.n_surface * n_chunk);
  launcher.launch("fold_ways", FoldWays{paired.surface}, batch.n_surface);
  FlagTunnelling flag;
  flag.paired = paired;
  flag.flag = paired.tunnelling;
  flag.n_chunk = n_chunk;
  launcher.launch("flag_tunnelling", flag, batch.n_search * n_chunk);
}

}  // namespace nodia
