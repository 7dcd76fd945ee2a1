/// Soft surfaces of environments side by side as launch_find_pairs() and launch_tunnelling() take
/// them: whom they are searched near, the table of their pairs, and room for all that is found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "host/collision/soft_searches.hpp"
#include "kernels/collision/paired_surfaces.hpp"

namespace nodia::test {

class PairedArrays {
 public:
  /// Of an environment, three numbers each: positions [m], velocities [m/s], those without
  /// contact [m/s].
  struct Nodes {
    const double *x = nullptr, *v = nullptr, *v_free = nullptr;
  };

  /// The next environment. @param searches  null: there is nothing to be searched
  void add(const SoftSearches* searches, const Nodes& nodes, const DetectionReach& reach) {
    if (searches != nullptr) {
      const auto first = static_cast<std::int32_t>(searched_.size()),
                 first_search = static_cast<std::int32_t>(search_.size());
      for (const SoftSearches::Surface& surface : searches->surface) add_surface(surface, nodes);
      for (const auto& [i, j] : searches->search) {
        const std::int32_t of_i = place_of(*searches, i), of_j = place_of(*searches, j);
        search_.push_back({first + of_i, first + of_j, n_vertex_slot_, reach});
        add_slots(*searches, of_i, of_j, first_search);
        n_vertex_slot_ += slots_.back().n_vertex;
      }
    }
    first_search_.push_back(static_cast<std::int32_t>(search_.size()));
  }
  int n_slot() const { return slots_.empty() ? 0 : slots_.back().end(); }
  /// Once all are there. @param capacity  of `selected`
  void make_room(int capacity) {
    gap_.assign(static_cast<std::size_t>(n_vertex_slot_), kNowhere);
    normal_.assign(gap_.size(), {kNowhere, kNowhere, kNowhere});
    flag.assign(static_cast<std::size_t>(n_slot()), 7);
    other.assign(flag.size() - gap_.size(), -7);
    beyond.assign(search_.size() * static_cast<std::size_t>(item_count(n_edge_)), 7);
    tunnelling.assign(search_.size() * static_cast<std::size_t>(item_count(n_vertex_)), 7);
    count_.assign(static_cast<std::size_t>(FlagSelection::n_chunk(n_slot())), -7);
    first_ = count_;
    selected.assign(static_cast<std::size_t>(capacity), -7);
  }
  /// Of all nodes, kNodeStride apart [m].
  void set_end(const double* end) {
    for (PairedSurface& own : surface_of_) own.end = end;
  }
  PairedSurfaces paired() {
    PairedSurfaces g;
    g.searches.n_surface = static_cast<int>(searched_.size());
    g.searches.n_search = static_cast<int>(search_.size());
    g.searches.n_vertex = n_vertex_;
    g.searches.n_triangle = n_triangle_;
    g.searches.n_level = tree_levels(n_triangle_);
    g.searches.surface = searched_.data();
    g.searches.search = search_.data();
    g.surface = surface_of_.data();
    g.first_search = first_search_.data();
    g.pairs.n_slot = n_slot();
    g.pairs.slots = slots_.data();
    g.pairs.flag = flag.data();
    g.pairs.gap = gap_.data();
    g.pairs.normal = normal_.data();
    g.pairs.other = other.data();
    g.pairs.n_edge = n_edge_;
    g.pairs.beyond = beyond.data();
    g.selection = {g.pairs.n_slot,
                   flag.data(),
                   count_.data(),
                   first_.data(),
                   static_cast<int>(selected.size()),
                   selected.data(),
                   &n_selected};
    g.tunnelling = tunnelling.data();
    return g;
  }
  /// Calls one(name, array) of all that kernels write.
  template <class One>
  void name(const One& one) {
    for (Own& own : own_) {
      one("vertex_x", own.x);
      one("vertex_v", own.v);
      one("normal", own.normal);
      one("triangle_box", own.triangle_box);
      one("box_of_chunk", own.box_of_chunk);
      one("speed_of_chunk", own.speed_of_chunk);
      one("tree_box", own.tree_box);
      one("order", own.order);
      one("extent", own.extent);
    }
    one("flag", flag);
    one("gap", gap_);
    one("normal", normal_);
    one("other", other);
    one("beyond", beyond);
    one("count", count_);
    one("first", first_);
    one("selected", selected);
  }
  const std::vector<PairSlots>& slots() const { return slots_; }
  int n_search() const { return static_cast<int>(search_.size()); }
  std::int32_t first_search(int e) const { return first_search_[static_cast<std::size_t>(e)]; }

  // What is found.
  std::vector<std::uint8_t> flag, beyond, tunnelling;
  std::vector<std::int32_t> other, selected;
  std::int32_t n_selected = -7;

 private:
  static constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();

  /// Arrays of a surface.
  struct Own {
    std::vector<Vec3d> x, normal;
    std::vector<PointMotion> v;
    std::vector<Bounds> triangle_box, box_of_chunk, speed_of_chunk, tree_box, way_of_chunk;
    std::vector<std::int32_t> order, node;
    std::vector<BodyExtent> extent;
    Bounds ways;
  };

  static std::int32_t place_of(const SoftSearches& searches, std::int32_t number) {
    std::int32_t k = 0;
    while (searches.surface[static_cast<std::size_t>(k)].number != number) ++k;
    return k;
  }
  void add_surface(const SoftSearches::Surface& surface, const Nodes& nodes) {
    const auto n_vertex = static_cast<std::size_t>(surface.fixed.n_vertex),
               n_triangle = static_cast<std::size_t>(surface.fixed.n_triangle);
    const Vec3d nowhere{kNowhere, kNowhere, kNowhere};
    Own& own = own_.emplace_back();
    own.x.assign(n_vertex, nowhere);
    own.v.assign(n_vertex, {nowhere, nowhere});
    own.normal.assign(n_triangle, nowhere);
    own.triangle_box.resize(n_triangle);
    own.order.resize(n_triangle);
    std::iota(own.order.begin(), own.order.end(), 0);
    own.box_of_chunk.resize(n_triangle);
    own.speed_of_chunk.resize(n_vertex);
    own.tree_box.resize(std::size_t{1} << tree_levels(surface.fixed.n_triangle));
    own.way_of_chunk.resize(n_vertex);
    own.extent.resize(1);
    own.node = surface.mesh.nodes;
    for (std::int32_t& node : own.node) node += surface.first_node;
    n_vertex_ = std::max(n_vertex_, surface.fixed.n_vertex);
    n_triangle_ = std::max(n_triangle_, surface.fixed.n_triangle);
    SearchedSurface s;
    s.surface = surface.fixed;
    s.surface.x = own.x.data();
    s.surface.v = own.v.data();
    s.surface.normal = s.normal = own.normal.data();
    s.triangle_box = own.triangle_box.data();
    s.box_of_chunk = own.box_of_chunk.data();
    s.speed_of_chunk = own.speed_of_chunk.data();
    s.extent = own.extent.data();
    s.tree_box = own.tree_box.data();
    s.tree = {tree_levels(surface.fixed.n_triangle), surface.fixed.n_triangle, own.order.data(),
              s.triangle_box, s.tree_box};
    searched_.push_back(s);
    PairedSurface g;
    g.n_vertex = surface.fixed.n_vertex;
    g.node = own.node.data();
    g.x = nodes.x;
    g.v = nodes.v;
    g.v_free = nodes.v_free;
    g.vertex_x = own.x.data();
    g.vertex_v = own.v.data();
    g.edges = surface.edges;
    g.way_of_chunk = own.way_of_chunk.data();
    g.ways = &own.ways;
    surface_of_.push_back(g);
  }
  /// Of the search of i near j, both by their places.
  void add_slots(const SoftSearches& searches, std::int32_t i, std::int32_t j,
                 std::int32_t first_search) {
    const SoftSearches::Surface &of_i = searches.surface[static_cast<std::size_t>(i)],
                                &of_j = searches.surface[static_cast<std::size_t>(j)];
    const auto partner = std::find(searches.search.begin(), searches.search.end(),
                                   std::pair{of_j.number, of_i.number});
    PairSlots own;
    own.n_vertex = of_i.fixed.n_vertex;
    own.n_edge = i <= j && of_i.fixed.is_closed && of_j.fixed.is_closed ? of_i.mesh.n_edge() : 0;
    own.partner = first_search + static_cast<std::int32_t>(partner - searches.search.begin());
    if (!slots_.empty()) {
      const PairSlots& last = slots_.back();
      own.first = last.end();
      own.first_other = last.first_other + kEdgePairs * last.n_edge;
    }
    slots_.push_back(own);
    n_edge_ = std::max(n_edge_, own.n_edge);
  }

  std::deque<Own> own_;
  std::vector<SearchedSurface> searched_;
  std::vector<PairedSurface> surface_of_;
  std::vector<VertexSearch> search_;
  std::vector<PairSlots> slots_;
  std::vector<std::int32_t> first_search_{0}, count_, first_;
  int n_vertex_ = 0, n_triangle_ = 0;  ///< of the largest surface
  std::int32_t n_vertex_slot_ = 0, n_edge_ = 0;
  std::vector<double> gap_;
  std::vector<Vec3d> normal_;
};

}  // namespace nodia::test
