/// Proximity search: tasks, their order, and the results of a step.
#include "host/collision/proximity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "host/collision/edges_at_shapes.hpp"
#include "host/collision/nodes_at_shapes.hpp"
#include "host/collision/overlaps.hpp"
#include "host/collision/pair_search.hpp"
#include "host/collision/rod_edges.hpp"
#include "host/collision/shape_points.hpp"
#include "host/collision/shape_union.hpp"
#include "host/collision/turned_pair.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/first_exception.hpp"
#include "kernels/cpu/over_items.hpp"

namespace nodia {
namespace {

constexpr std::int32_t kChunk = 256;  // vertices or links per task

/// Part of the search for one thread. The second round is for edges, which need the vertex pairs.
struct Task {
  enum class Kind { vertices, points, links, shapes, rod_edges, edges } kind = Kind::vertices;
  std::int32_t i = 0, j = 0;
  std::int32_t begin = 0, end = 0;
};

int count(std::size_t n) {
  return static_cast<int>(n);
}

void set_surfaces(const std::vector<Body>& bodies, const Task& task, PairSearch* search) {
  const auto is_prescribed = [&](std::int32_t k) {
    return extent_of(bodies[static_cast<std::size_t>(k)]).is_prescribed;
  };
  search->surface_i = task.i;
  search->surface_j = task.j;
  search->i_is_prescribed = is_prescribed(task.i);
  search->j_is_prescribed = is_prescribed(task.j);
}

/// Runs a task of the first round. @param search  margin, step, output and counters
void run_task(const std::vector<Body>& bodies, const Task& task, PairSearch search) {
  set_surfaces(bodies, task, &search);
  const Body& i = bodies[static_cast<std::size_t>(task.i)];
  const Body& j = bodies[static_cast<std::size_t>(task.j)];
  const auto* soft_i = std::get_if<SoftBody>(&i);
  const auto* soft_j = std::get_if<SoftBody>(&j);
  const auto* rod_i = std::get_if<RodBody>(&i);
  const auto* rod_j = std::get_if<RodBody>(&j);
  const auto* shape_i = std::get_if<ShapeBody>(&i);
  const auto* shape_j = std::get_if<ShapeBody>(&j);
  switch (task.kind) {
    case Task::Kind::vertices:
      if (soft_j) find_vertices_on_soft(*soft_i, *soft_j, task.begin, task.end, search);
      if (rod_j) find_vertices_on_rod(*soft_i, *rod_j, task.begin, task.end, search);
      if (shape_j) find_vertices_on_shape(*soft_i, *shape_j, task.begin, task.end, search);
      return;
    case Task::Kind::points:
      if (rod_i && soft_j) find_rod_points_on_soft(*rod_i, *soft_j, search);
      if (rod_i && shape_j) find_rod_points_on_shape(*rod_i, *shape_j, search);
      if (shape_i && soft_j) find_shape_points_on_soft(*shape_i, *soft_j, search);
      return;
    case Task::Kind::links:
      find_links(*rod_i, *rod_j, task.begin, task.end, search);
      return;
    case Task::Kind::shapes:
      find_shape_pairs(*shape_i, *shape_j, search);
      return;
    case Task::Kind::rod_edges:
      find_edges_on_rod(*soft_i, *rod_j, task.begin, task.end, search);
      return;
    case Task::Kind::edges:
      return;
  }
}

void run_edge_task(const std::vector<Body>& bodies, const Task& task, FoundPairs found,
                   PairSearch search) {
  set_surfaces(bodies, task, &search);
  const auto& soft = std::get<SoftBody>(bodies[static_cast<std::size_t>(task.i)]);
  const Body& j = bodies[static_cast<std::size_t>(task.j)];
  if (const auto* other = std::get_if<SoftBody>(&j)) {
    find_soft_edges(soft, *other, found, search);
  } else {
    find_edges_at_shape(soft, std::get<ShapeBody>(j), found, search);
  }
}

}  // namespace

struct ProximitySearch::Impl {
  /// Memory for the results of a task; reused between searches.
  struct Room {
    std::vector<SurfacePair> pairs;
    ProximityCounters counters;
  };

  std::vector<Body> bodies;
  std::vector<double> extent;  ///< smallest_extent of each body [m]
  std::set<std::pair<std::int32_t, std::int32_t>> excluded, allowed;
  bool has_edges_at_prescribed = true;                            ///< set_edges_at_prescribed()
  bool restricted = false;                                        ///< only allowed pairs are tested
  std::vector<std::pair<std::int32_t, std::int32_t>> candidates;  ///< without those of `nodes`
  std::vector<char> is_candidate;  ///< per body: 1 if it is in a candidate
  NodesAtShapes nodes;
  /// Pairs of a soft surface and a prescribed shape that its nodes alone do not resolve.
  std::vector<std::pair<std::int32_t, std::int32_t>> unresolved, near_unresolved;
  ShapeUnion shape_union;
  bool candidates_are_current = false;

  std::size_t n_node = 0, n_frame = 0;                ///< required size of a state
  DetectionReach reach;                               ///< reach of the last search
  KeyedForces forces;                                 ///< of the running search
  std::span<const MissedTunnelling> tunnelled;        ///< same
  std::shared_ptr<const SoftSearches> soft_searches;  ///< null before the first request
  ProximityCounters counters;
  std::vector<Task> tasks, edge_tasks;
  std::vector<Room> rooms;
  std::vector<SurfacePair> found, unordered;
  std::vector<std::int32_t> order;

  int add(Body body) {
    extent.push_back(nodia::smallest_extent(body));
    bodies.push_back(std::move(body));
    candidates_are_current = false;
    return count(bodies.size()) - 1;
  }

  void require_surface(int a) const {
    require(a >= 0 && a < count(bodies.size()), "proximity: surface", a,
            fmt::format("in [0, {})", bodies.size()), "use a number that add_* returned");
  }

  const Body& body(std::int32_t i) const { return bodies[static_cast<std::size_t>(i)]; }
  bool can_collide(std::int32_t i, std::int32_t j) const;
  bool has_pair(std::int32_t i, std::int32_t j) const;
  bool is_known(std::int32_t i, std::int32_t j, const PointTunnelling& tunnelling) const;
  bool is_known_edge(std::int32_t i, std::int32_t j, const PointTunnelling& tunnelling) const;
  void list_candidates();
  void list_tasks();
  void update_bodies(const ProximityState& state);
  void list_near_unresolved(const ProximityState& state);
  void add_tasks(Task::Kind kind, std::int32_t i, std::int32_t j, std::int32_t n);
  void add_pair_tasks(std::int32_t i, std::int32_t j);
  template <class Run>
  void run_all(const std::vector<Task>& list, int n_thread, const Run& run);
  void require_sizes(const ProximityState& state) const;
  void add_found(const SoftPair& pair);
  std::shared_ptr<const SoftSearches> make_soft_searches() const;
  void collect(std::size_t n_task);
  void sort_found();
  void prepare_self_contacts(double margin_m);
};

void ProximitySearch::Impl::require_sizes(const ProximityState& state) const {
  const auto require_count = [](std::size_t n, std::size_t needed, const char* name) {
    if (n < needed)
      throw_bad_value(fmt::format("proximity: number of {}", name), static_cast<double>(n),
                      fmt::format("at least {}", needed), "the state belongs to other bodies");
  };
  require_count(state.x.size(), n_node, "positions");
  require_count(state.v.size(), n_node, "velocities");
  require_count(state.pose.size(), n_frame, "poses");
  require_count(state.twist.size(), n_frame, "twists");
  if (!state.v_free.empty()) require_count(state.v_free.size(), n_node, "free velocities");
  if (!state.twist_free.empty()) require_count(state.twist_free.size(), n_frame, "free twists");
  if (!state.pose_next.empty()) require_count(state.pose_next.size(), n_frame, "next poses");
}

bool ProximitySearch::Impl::can_collide(std::int32_t i, std::int32_t j) const {
  if (excluded.count({i, j}) > 0 || (restricted && allowed.count({i, j}) == 0)) return false;
  const Body& a = bodies[static_cast<std::size_t>(i)];
  const Body& b = bodies[static_cast<std::size_t>(j)];
  if (i == j) {
    const auto* soft = std::get_if<SoftBody>(&a);
    const auto* rod = std::get_if<RodBody>(&a);
    return (soft != nullptr && soft->options.self_contact) ||
           (rod != nullptr && rod->rod.self_contact);
  }
  const auto* shape_a = std::get_if<ShapeBody>(&a);
  const auto* shape_b = std::get_if<ShapeBody>(&b);
  if (shape_a == nullptr || shape_b == nullptr) return true;
  // Two prescribed or fixed shapes form no pair, because no force changes their motion.
  const auto is_movable = [](const ShapeSurface& s) { return !s.prescribed && !s.is_fixed; };
  return shape_a->surface.frame != shape_b->surface.frame &&
         (is_movable(shape_a->surface) || is_movable(shape_b->surface));
}

/// True if the last search found a pair of i and j.
bool ProximitySearch::Impl::has_pair(std::int32_t i, std::int32_t j) const {
  const auto before = [](const SurfacePair& p, const std::pair<std::int32_t, std::int32_t>& key) {
    return std::make_pair(p.surface_i, p.surface_j) < key;
  };
  const auto first = std::lower_bound(found.begin(), found.end(), std::make_pair(i, j), before);
  return first != found.end() && first->surface_i == i && first->surface_j == j;
}

/// True if a point of i that tunnelled through j was in a pair of the last search, or ends so
/// little below j that it counts as on it.
bool ProximitySearch::Impl::is_known(std::int32_t i, std::int32_t j,
                                     const PointTunnelling& tunnelling) const {
  const double small =
      std::min(extent[static_cast<std::size_t>(i)], extent[static_cast<std::size_t>(j)]);
  if (tunnelling.end.where == WayEnd::Where::inside &&
      !(tunnelling.end.depth_m > kTunnellingShare * small))
    return true;
  if (!tunnelling.is_numbered) return has_pair(i, j) || has_pair(j, i);
  if (tunnelling.rule == PairRule::edge) return is_known_edge(i, j, tunnelling);
  // A link is also known if its closest neighbour is in a pair.
  const std::int32_t near = tunnelling.rule == PairRule::link ? 1 : 0;
  return std::any_of(found.begin(), found.end(), [&](const SurfacePair& p) {
    return p.surface_i == i && p.surface_j == j && p.rule == tunnelling.rule &&
           std::abs(p.feature_i - tunnelling.feature_i) <= near &&
           (near == 0 || std::abs(p.feature_j - tunnelling.feature_j) <= near);
  });
}

/// True if an edge of the soft surface i that tunnelled through a link of the rod j was in a pair
/// of the last search with the link or its neighbour, or an end of either with the other's body.
bool ProximitySearch::Impl::is_known_edge(std::int32_t i, std::int32_t j,
                                          const PointTunnelling& tunnelling) const {
  const std::int32_t link = tunnelling.feature_j;
  const auto& end =
      std::get<SoftBody>(body(i)).mesh.edges[static_cast<std::size_t>(tunnelling.feature_i)];
  return std::any_of(found.begin(), found.end(), [&](const SurfacePair& p) {
    if (p.surface_i == j && p.surface_j == i)
      return p.rule == PairRule::point && (p.feature_i == link || p.feature_i == link + 1);
    if (p.surface_i != i || p.surface_j != j || std::abs(p.feature_j - link) > 1) return false;
    return p.rule == PairRule::edge ? p.feature_i == tunnelling.feature_i
                                    : p.feature_i == end[0] || p.feature_i == end[1];
  });
}

void ProximitySearch::Impl::list_candidates() {
  if (candidates_are_current) return;
  candidates.clear();
  is_candidate.assign(bodies.size(), 0);
  std::vector<std::pair<std::int32_t, std::int32_t>> soft_and_shape;
  const auto is_soft = [&](std::int32_t k) { return std::holds_alternative<SoftBody>(body(k)); };
  const auto is_prescribed = [&](std::int32_t k) { return extent_of(body(k)).is_prescribed; };
  for (std::int32_t i = 0; i < count(bodies.size()); ++i) {
    for (std::int32_t j = i; j < count(bodies.size()); ++j) {
      if (!can_collide(i, j)) continue;
      if (is_soft(i) && is_prescribed(j)) {
        soft_and_shape.emplace_back(i, j);
      } else if (is_prescribed(i) && is_soft(j)) {
        soft_and_shape.emplace_back(j, i);
      } else {
        candidates.emplace_back(i, j);
        is_candidate[static_cast<std::size_t>(i)] = is_candidate[static_cast<std::size_t>(j)] = 1;
      }
    }
  }
  std::sort(soft_and_shape.begin(), soft_and_shape.end());
  unresolved.clear();
  for (const auto& [soft, shape] : soft_and_shape)
    if (has_edges_at_prescribed &&
        !vertices_resolve(std::get<SoftBody>(body(soft)),
                          std::get<ShapeBody>(body(shape)).surface.shape))
      unresolved.emplace_back(soft, shape);
  nodes.set(bodies, std::move(soft_and_shape));
  shape_union.set(bodies);
  soft_searches = nullptr;
  candidates_are_current = true;
}

void ProximitySearch::Impl::add_tasks(Task::Kind kind, std::int32_t i, std::int32_t j,
                                      std::int32_t n) {
  for (std::int32_t begin = 0; begin < n; begin += kChunk) {
    tasks.push_back({kind, i, j, begin, std::min(begin + kChunk, n)});
  }
}

/// @param i, j  bodies with near boxes, i <= j
void ProximitySearch::Impl::add_pair_tasks(std::int32_t i, std::int32_t j) {
  const auto as_soft = [&](std::int32_t k) {
    return std::get_if<SoftBody>(&bodies[static_cast<std::size_t>(k)]);
  };
  const auto as_rod = [&](std::int32_t k) {
    return std::get_if<RodBody>(&bodies[static_cast<std::size_t>(k)]);
  };
  const auto as_shape = [&](std::int32_t k) {
    return std::get_if<ShapeBody>(&bodies[static_cast<std::size_t>(k)]);
  };
  // Softer body first: soft, rod, shape.
  const bool is_ordered = as_soft(i) || (as_rod(i) && !as_soft(j)) || as_shape(j);
  const std::int32_t a = is_ordered ? i : j, b = is_ordered ? j : i;
  if (const SoftBody* soft = as_soft(a)) {
    add_tasks(Task::Kind::vertices, a, b, soft->mesh.n_vertex());
    const SoftBody* other = as_soft(b);
    if (other != nullptr) {
      if (a != b) add_tasks(Task::Kind::vertices, b, a, other->mesh.n_vertex());
    } else {
      tasks.push_back({Task::Kind::points, b, a, 0, 0});
    }
    if (const RodBody* rod = as_rod(b)) add_tasks(Task::Kind::rod_edges, a, b, rod->rod.n_link);
    const ShapeBody* shape = as_shape(b);
    if (other || (shape && !vertices_resolve(*soft, shape->surface.shape))) {
      edge_tasks.push_back({Task::Kind::edges, a, b, 0, 0});
    }
  } else if (const RodBody* rod = as_rod(a)) {
    if (as_rod(b)) {
      add_tasks(Task::Kind::links, a, b, rod->rod.n_link);
    } else {
      tasks.push_back({Task::Kind::points, a, b, 0, 0});
    }
  } else {
    tasks.push_back({Task::Kind::shapes, a, b, 0, 0});
  }
}

void ProximitySearch::Impl::list_tasks() {
  tasks.clear();
  edge_tasks.clear();
  for (const auto& [i, j] : candidates) {
    const BodyExtent& a = extent_of(bodies[static_cast<std::size_t>(i)]);
    const BodyExtent& b = extent_of(bodies[static_cast<std::size_t>(j)]);
    if (i != j && !may_collide(a, b, reach)) continue;
    ++counters.body_pairs;
    add_pair_tasks(i, j);
  }
  for (const auto& [soft, shape] : near_unresolved) {
    tasks.push_back({Task::Kind::points, shape, soft, 0, 0});
    edge_tasks.push_back({Task::Kind::edges, soft, shape, 0, 0});
  }
}

/// Updates the bodies of candidates.
void ProximitySearch::Impl::update_bodies(const ProximityState& state) {
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (is_candidate[b]) std::visit([&](auto& body) { body.update(state); }, bodies[b]);
}

/// Lists the pairs of `unresolved` with near boxes, and updates their bodies. A body far from all
/// edges is not updated, because that costs more than the bounds of its vertices.
void ProximitySearch::Impl::list_near_unresolved(const ProximityState& state) {
  near_unresolved.clear();
  std::int32_t last = -1;
  BodyExtent extent_of_soft;
  bool is_updated = false;
  for (const auto& [number, shape_number] : unresolved) {
    auto& soft = std::get<SoftBody>(bodies[static_cast<std::size_t>(number)]);
    if (number != last) extent_of_soft = soft.extent_in(state);
    is_updated = number == last ? is_updated : is_candidate[static_cast<std::size_t>(number)] != 0;
    last = number;
    auto& shape = std::get<ShapeBody>(bodies[static_cast<std::size_t>(shape_number)]);
    shape.update(state);
    const double far = farthest_gap(reach, approach_bound(extent_of_soft, shape.extent));
    if (!edges_may_be_near(shape, extent_of_soft.box, std::max(far, soft.edge_depth))) continue;
    if (!is_updated) soft.update(state);
    is_updated = true;
    near_unresolved.emplace_back(number, shape_number);
  }
}

/// Adds a soft-soft pair that another search found, without a test of its reach.
void ProximitySearch::Impl::add_found(const SoftPair& pair) {
  const auto& i = std::get<SoftBody>(body(pair.surface_i));
  const auto& j = std::get<SoftBody>(body(pair.surface_j));
  PairSearch search;
  search.takes_all = true;
  search.out = &found;
  search.surface_i = pair.surface_i;
  search.surface_j = pair.surface_j;
  if (pair.edge < 0)
    add_vertex_hit(i, j, pair.feature, pair.at, search);
  else
    add_found_edges(i, j, pair.feature, pair.edge, search);
}

std::shared_ptr<const SoftSearches> ProximitySearch::Impl::make_soft_searches() const {
  auto made = std::make_shared<SoftSearches>();
  const auto is_soft = [&](std::int32_t k) { return std::holds_alternative<SoftBody>(body(k)); };
  for (const auto& [i, j] : candidates) {
    if (!is_soft(i) || !is_soft(j)) continue;
    made->search.emplace_back(i, j);
    if (i != j) made->search.emplace_back(j, i);
  }
  std::sort(made->search.begin(), made->search.end());
  for (const auto& search : made->search) {
    const std::int32_t number = search.first;
    if (!made->surface.empty() && made->surface.back().number == number) continue;
    const auto& soft = std::get<SoftBody>(body(number));
    SoftSearches::Surface& own = made->surface.emplace_back();
    own.number = number;
    own.mesh = soft.mesh;
    own.left_out_begin = soft.excluded_begin;
    own.left_out = soft.excluded;
    own.fixed = view_of(own.mesh);  // its arrays stay in place when the mesh object moves
    own.fixed.left_out_begin = own.left_out_begin.data();
    own.fixed.left_out = own.left_out.data();
    own.fixed.thickness_m = soft.options.thickness_m;
    own.fixed.depth_m = soft.depth;
    own.fixed.self_depth_m = soft.self_depth;
    own.first_node = soft.first_node;
    own.sharp_edges = soft.sharp_edges;
    own.edges = soft.edges();
    own.edges.end = own.mesh.edges.empty() ? nullptr : own.mesh.edges.front().data();
    own.edges.sharp = own.sharp_edges.data();
    own.edges.rest = own.mesh.rest.data();
  }
  return made;
}

template <class Run>
void ProximitySearch::Impl::run_all(const std::vector<Task>& list, int n_thread, const Run& run) {
  if (rooms.size() < list.size()) rooms.resize(list.size());
  FirstException thrown;
  for_items(count(list.size()), n_thread, [&](int k) {
    Room& room = rooms[static_cast<std::size_t>(k)];
    room.pairs.clear();
    room.counters = {};
    PairSearch search;
    search.reach = reach;
    search.out = &room.pairs;
    search.counters = &room.counters;
    search.forces = forces;
    search.tunnelled = tunnelled;
    search.bodies = &bodies;
    search.shape_union = shape_union.is_empty() ? nullptr : &shape_union;
    thrown.guard(k, [&] { run(list[static_cast<std::size_t>(k)], search); });
  });
  thrown.rethrow();
  collect(list.size());
}

void ProximitySearch::Impl::collect(std::size_t n_task) {
  for (std::size_t k = 0; k < n_task; ++k) {
    const Room& room = rooms[k];
    found.insert(found.end(), room.pairs.begin(), room.pairs.end());
    counters.queries += room.counters.queries;
    counters.distance_tests += room.counters.distance_tests;
  }
}

void ProximitySearch::Impl::sort_found() {
  if (std::is_sorted(found.begin(), found.end(), comes_before)) return;
  order.resize(found.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return comes_before(found[static_cast<std::size_t>(a)], found[static_cast<std::size_t>(b)]);
  });
  unordered.swap(found);
  found.clear();
  for (const std::int32_t k : order) found.push_back(unordered[static_cast<std::size_t>(k)]);
}

ProximitySearch::ProximitySearch() : impl_(std::make_unique<Impl>()) {}
ProximitySearch::~ProximitySearch() = default;
ProximitySearch::ProximitySearch(ProximitySearch&&) noexcept = default;
ProximitySearch& ProximitySearch::operator=(ProximitySearch&&) noexcept = default;

int ProximitySearch::add_soft(SurfaceMesh mesh, int first_node, const SoftSurfaceOptions& options) {
  require(first_node >= 0, "soft surface: first_node", first_node, ">= 0",
          "the place of the body's first node in the state");
  const auto require_length = [](double value, const char* name, const char* hint) {
    require(value >= 0 && std::isfinite(value), fmt::format("soft surface: {}", name), value,
            ">= 0 and finite", hint);
  };
  require_length(options.thickness_m, "thickness_m", "0 for solids");
  require_length(options.depth_m, "depth_m", "0 for twice the mean edge");
  require_length(options.self_depth_m, "self_depth_m", "0 for half the mean edge");
  require(!mesh.triangles.empty(), "soft surface: triangles", 0, "at least 1",
          "take surface_of a mesh with elements");
  require(options.n_node == 0 || options.n_node > mesh.nodes.back(), "soft surface: n_node",
          options.n_node, fmt::format("> {}", mesh.nodes.back()), "0 for what the surface has");
  SoftBody body(std::move(mesh), first_node, options);
  impl_->n_node = std::max(impl_->n_node, static_cast<std::size_t>(first_node + body.n_node()));
  return impl_->add(std::move(body));
}

int ProximitySearch::add_rod(const RodSurface& rod) {
  require(rod.first_frame >= 0, "rod surface: first_frame", rod.first_frame, ">= 0",
          "the place of the first link in the state");
  require(rod.n_link >= 1, "rod surface: n_link", rod.n_link, ">= 1", "a rod has links");
  require(rod.radius_m > 0 && std::isfinite(rod.radius_m), "rod surface: radius_m", rod.radius_m,
          "> 0 and finite", "in metres");
  require(rod.link_length_m > 0 && std::isfinite(rod.link_length_m), "rod surface: link_length_m",
          rod.link_length_m, "> 0 and finite", "in metres");
  impl_->n_frame = std::max(impl_->n_frame, static_cast<std::size_t>(rod.first_frame + rod.n_link));
  return impl_->add(RodBody(rod));
}

int ProximitySearch::add_shape(const ShapeSurface& shape) {
  require(shape.frame >= 0, "shape surface: frame", shape.frame, ">= 0",
          "the place of the frame in the state");
  impl_->n_frame = std::max(impl_->n_frame, static_cast<std::size_t>(shape.frame) + 1);
  return impl_->add(ShapeBody(shape));
}

void ProximitySearch::exclude(int a, int b) {
  impl_->require_surface(a);
  impl_->require_surface(b);
  impl_->excluded.insert({std::min(a, b), std::max(a, b)});
  impl_->candidates_are_current = false;
}

void ProximitySearch::allow(int a, int b) {
  impl_->require_surface(a);
  impl_->require_surface(b);
  impl_->allowed.insert({std::min(a, b), std::max(a, b)});
  impl_->restricted = true;
  impl_->candidates_are_current = false;
}

void ProximitySearch::set_edges_at_prescribed(bool do_touch) {
  impl_->has_edges_at_prescribed = do_touch;
  impl_->candidates_are_current = false;
}

void ProximitySearch::find(const ProximityState& state, double margin_m, double step_s,
                           int n_thread, std::vector<SurfacePair>* out) {
  Impl& s = *impl_;
  // Messages are made only on failure, because this code runs in every step of every environment.
  if (!(margin_m >= 0 && std::isfinite(margin_m)))
    throw_bad_value("proximity: margin_m", margin_m, ">= 0 and finite", "a part of the mesh size");
  if (!(step_s >= 0 && std::isfinite(step_s)))
    throw_bad_value("proximity: step_s", step_s, ">= 0 and finite", "the time step");
  s.require_sizes(state);
  s.reach = {margin_m, step_s};
  s.counters = {};
  s.list_candidates();
  s.update_bodies(state);
  s.list_near_unresolved(state);
  s.forces = state.forces;
  s.tunnelled = state.tunnelled;
  s.prepare_self_contacts(margin_m);
  for (Body& body : s.bodies)
    if (auto* shape = std::get_if<ShapeBody>(&body)) shape->set_motion(state, step_s);
  s.shape_union.update(s.bodies, state, step_s);
  s.list_tasks();
  s.found.clear();
  s.run_all(s.tasks, n_thread,
            [&](const Task& task, const PairSearch& search) { run_task(s.bodies, task, search); });
  s.sort_found();
  const std::size_t n_first = s.found.size();
  // The edge round appends to `found` after the reads.
  s.run_all(s.edge_tasks, n_thread, [&](const Task& task, const PairSearch& search) {
    run_edge_task(s.bodies, task, {s.found.data(), n_first}, search);
  });
  s.sort_found();
  // `found` keeps all pairs, because find_tunnelling needs them.
  out->clear();
  s.nodes.find(s.bodies, state, s.reach, n_thread, out);
  out->insert(out->end(), s.found.begin(), s.found.end());
  s.shape_union.filter(
      s.bodies,
      [&](std::int32_t a, std::int32_t b) { return s.can_collide(std::min(a, b), std::max(a, b)); },
      out);
  s.counters.pairs = static_cast<std::int64_t>(out->size());
}

/// Lists the features that self-contact omits at this margin.
void ProximitySearch::Impl::prepare_self_contacts(double margin_m) {
  for (const auto& [i, j] : candidates) {
    if (i != j) continue;
    auto* soft = std::get_if<SoftBody>(&bodies[static_cast<std::size_t>(i)]);
    if (soft != nullptr && soft->prepare_self_contact(margin_m)) soft_searches = nullptr;
  }
}

const std::shared_ptr<const SoftSearches>& ProximitySearch::soft_searches(double margin_m) {
  Impl& s = *impl_;
  s.list_candidates();
  s.prepare_self_contacts(margin_m);
  if (s.soft_searches == nullptr) s.soft_searches = s.make_soft_searches();
  return s.soft_searches;
}

std::optional<NodesAndShapes> ProximitySearch::nodes_and_shapes() {
  const Impl& s = *impl_;
  impl_->list_candidates();
  const auto is_soft = [&](std::int32_t k) { return std::holds_alternative<SoftBody>(s.body(k)); };
  for (const auto& [i, j] : s.candidates)
    if (!is_soft(i) || !is_soft(j)) return std::nullopt;
  if (!s.unresolved.empty()) return std::nullopt;
  if (s.shape_union.has_prescribed()) return std::nullopt;
  return s.nodes.described(s.bodies.size());
}

void ProximitySearch::shape_poses(const ProximityState& state, double step_s,
                                  std::vector<ObstaclePose>* out) {
  impl_->list_candidates();
  impl_->nodes.poses(impl_->bodies, state, step_s, out);
}

void ProximitySearch::take(const ProximityState& state, double margin_m, double step_s,
                           int n_thread, std::span<const NodeAtObstacle> near,
                           std::span<const SoftPair> pairs, std::vector<SurfacePair>* out) {
  Impl& s = *impl_;
  s.reach = {margin_m, step_s};
  s.counters = {};
  s.list_candidates();
  for (Body& body : s.bodies)
    if (auto* shape = std::get_if<ShapeBody>(&body)) shape->set_motion(state, step_s);
  s.update_bodies(state);
  s.found.clear();
  for (const SoftPair& pair : pairs) s.add_found(pair);
  out->clear();
  s.nodes.take(s.bodies, state, {margin_m, step_s}, n_thread, near, out);
  out->insert(out->end(), s.found.begin(), s.found.end());
  s.counters.pairs = static_cast<std::int64_t>(out->size());
}

std::uint64_t ProximitySearch::node_key(std::int32_t soft, std::int32_t shape, std::int32_t node) {
  return key_of(soft, shape, PairRule::node, node, 0);
}

std::uint64_t ProximitySearch::pair_key(const SoftPair& p) {
  return p.edge < 0 ? key_of(p.surface_i, p.surface_j, PairRule::vertex, p.feature, 0)
                    : key_of(p.surface_i, p.surface_j, PairRule::edge, p.feature, p.edge);
}

void ProximitySearch::find_overlaps(const ProximityState& state, OverlapScope scope,
                                    std::vector<SurfaceOverlap>* out) {
  Impl& s = *impl_;
  s.list_candidates();
  const auto is_looked_at = [&](std::int32_t k) {
    return s.is_candidate[static_cast<std::size_t>(k)] &&
           (scope == OverlapScope::all || !std::holds_alternative<SoftBody>(s.body(k)));
  };
  for (std::int32_t k = 0; k < count(s.bodies.size()); ++k)
    if (is_looked_at(k))
      std::visit([&](auto& b) { b.update(state); }, s.bodies[static_cast<std::size_t>(k)]);
  out->clear();
  s.nodes.find_overlaps(s.bodies, state, out);
  for (const auto& [i, j] : s.candidates) {
    if (i == j || !is_looked_at(i) || !is_looked_at(j)) continue;
    const Body& a = s.body(i);
    const Body& b = s.body(j);
    const BodyExtent &at_a = extent_of(a), &at_b = extent_of(b);
    if (at_a.box.is_empty() || at_b.box.is_empty()) continue;
    if (!at_a.box.grown(at_a.thickness + at_b.thickness).overlaps(at_b.box)) continue;
    const double depth = overlap_depth(a, b);
    if (depth > 0) out->push_back({i, j, depth});
  }
  std::sort(out->begin(), out->end(), [](const SurfaceOverlap& a, const SurfaceOverlap& b) {
    return std::pair(a.surface_i, a.surface_j) < std::pair(b.surface_i, b.surface_j);
  });
}

void ProximitySearch::find_tunnelling(const ProximityState& end,
                                      std::vector<MissedTunnelling>* out) const {
  const Impl& s = *impl_;
  out->clear();
  s.nodes.find_tunnelling(end, s.extent, out);
  std::vector<std::optional<BodyEnd>> ends(s.candidates.empty() ? 0 : s.bodies.size());
  for (std::size_t b = 0; b < ends.size(); ++b)
    if (s.is_candidate[b]) ends[b].emplace(s.bodies[b], end);
  std::vector<PointTunnelling> tunnelling;
  for (const auto& [i, j] : s.candidates) {
    const BodyEnd &end_i = *ends[static_cast<std::size_t>(i)],
                  &end_j = *ends[static_cast<std::size_t>(j)];
    if (!(end_i.farthest + end_j.farthest > s.reach.margin_m)) continue;
    const double thickness = extent_of(s.body(i)).thickness + extent_of(s.body(j)).thickness;
    if (end_i.box.is_empty() || end_j.box.is_empty() ||
        !end_i.box.grown(thickness).overlaps(end_j.box)) {
      continue;
    }
    const BodyWay way_i{s.body(i), end_i}, way_j{s.body(j), end_j};
    const auto add = [&](const BodyWay& from, std::int32_t a, const BodyWay& to, std::int32_t b) {
      tunnelling.clear();
      find_point_tunnelling(from, to, s.reach.margin_m, &tunnelling);
      MissedTunnelling missed{a, b, 0, {}};
      for (const PointTunnelling& p : tunnelling) {
        if (s.is_known(a, b, p)) continue;
        missed.depth_m = std::max(missed.depth_m, p.end.depth_m);
        if (p.rule == PairRule::point) missed.points.push_back(p.feature_i);
      }
      if (missed.depth_m > 0) out->push_back(missed);
    };
    const auto is_rod = [](const Body& body) { return std::holds_alternative<RodBody>(body); };
    add(way_i, i, way_j, j);
    if (i != j && !(is_rod(way_i.body) && is_rod(way_j.body))) add(way_j, j, way_i, i);
  }
  std::sort(out->begin(), out->end(), [](const MissedTunnelling& a, const MissedTunnelling& b) {
    return std::pair(a.surface_i, a.surface_j) < std::pair(b.surface_i, b.surface_j);
  });
}

void ProximitySearch::turn(const ProximityState& end, std::span<const SurfacePair> pairs,
                           std::vector<TurnedPair>* out) const {
  out->clear();
  for (const SurfacePair& pair : pairs)
    out->push_back(
        turned_pair(pair, impl_->body(pair.surface_i), impl_->body(pair.surface_j), end));
}

bool ProximitySearch::find_entered(const ProximityState& end, std::span<const SurfacePair> pairs,
                                   double share, std::vector<SurfacePair>* out) const {
  const Impl& s = *impl_;
  const std::size_t n_before = out->size();
  std::vector<std::optional<BodyEnd>> ends(s.bodies.size());
  const auto end_of = [&](std::int32_t k) -> const BodyEnd& {
    std::optional<BodyEnd>& of = ends[static_cast<std::size_t>(k)];
    return of ? *of : of.emplace(s.body(k), end);
  };
  for (const auto& [i, j] : s.candidates) {
    const auto* shape_i = std::get_if<ShapeBody>(&s.body(i));
    const auto* shape_j = std::get_if<ShapeBody>(&s.body(j));
    if (shape_i == nullptr || shape_j == nullptr) continue;
    if (shape_i->surface.prescribed || shape_j->surface.prescribed) continue;
    if (s.shape_union.has_neighbours(i) || s.shape_union.has_neighbours(j)) continue;
    const BodyEnd &end_i = end_of(i), &end_j = end_of(j);
    const double least = share * std::min(s.extent[static_cast<std::size_t>(i)],
                                          s.extent[static_cast<std::size_t>(j)]);
    if (!(end_i.farthest + end_j.farthest > least) || !end_i.box.overlaps(end_j.box)) continue;
    find_entered_pairs({*shape_i, i, end_i.pose}, {*shape_j, j, end_j.pose}, least, pairs, out);
  }
  return out->size() > n_before;
}

double ProximitySearch::smallest_extent(int surface) const {
  impl_->require_surface(surface);
  return impl_->extent[static_cast<std::size_t>(surface)];
}

const ProximityCounters& ProximitySearch::counters() const {
  return impl_->counters;
}

}  // namespace nodia
