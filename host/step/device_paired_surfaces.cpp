/// Uploads the surfaces and searches for soft-soft pairs.
#include "host/step/device_paired_surfaces.hpp"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "kernels/collision/surface_tree.hpp"

namespace nodia {
namespace {

/// Orders triangles by the cells of their centres at rest. Triangles that are close at rest stay
/// close in memory, unless the body is crumpled.
std::vector<std::int32_t> order_at_rest(const SurfaceMesh& mesh) {
  Bounds all;
  for (const Vec3d& p : mesh.rest) all.add(p);
  std::vector<std::pair<std::uint32_t, std::int32_t>> by_cell;
  for (const SurfaceMesh::Triangle& t : mesh.triangles) {
    Vec3d middle{};
    for (const std::int32_t corner : t)
      middle += (1.0 / 3) * mesh.rest[static_cast<std::size_t>(corner)];
    by_cell.emplace_back(cell_of(middle, all), static_cast<std::int32_t>(by_cell.size()));
  }
  std::sort(by_cell.begin(), by_cell.end());
  std::vector<std::int32_t> order;
  for (const auto& [cell, triangle] : by_cell) order.push_back(triangle);
  return order;
}

/// PairSlots::n_edge of a search of surface i near surface j.
std::int32_t n_edge_looked_at(const SoftSearches::Surface& i, const SoftSearches::Surface& j) {
  const bool any = i.number <= j.number && i.fixed.is_closed && j.fixed.is_closed &&
                   i.edges.n_sharp + j.edges.n_sharp > 0;
  return any ? i.mesh.n_edge() : 0;
}

}  // namespace

void DevicePairedSurfaces::take(const ContactProblem& p, const DeviceSoftRows& soft,
                                const std::vector<SoftContacts>& contacts, DeviceStream stream) {
  DeviceSurfaces::Sources sources;
  bool any = false;
  for (std::size_t e = 0; e < contacts.size(); ++e) {
    const ObstacleStep& step = p.soft[e].obstacles;
    sources.push_back(step.is_inactive ? nullptr : step.contacts->soft_searches);
    any = any || sources.back() != nullptr;
  }
  if (!any) {
    paired_ = {};
    first_search_.assign(contacts.size() + 1, 0);
    return;
  }
  const bool is_new = surfaces_.fix(sources, stream);
  if (is_new) fix(p.n_env(), stream);
  surfaces_.send_reach([&](std::size_t e) { return p.soft[e].obstacles.contacts->reach; }, stream);
  for (std::size_t k = 0; k < host_.size(); ++k) {
    const std::size_t e = surfaces_.surfaces()[k].env;
    host_[k].x = soft.on_host()[e].x;
    host_[k].v = soft.on_host()[e].v;
    host_[k].v_free = contacts[e].v_free;
    host_[k].end = soft.on_host()[e].padded_x;
  }
  if (is_new || host_ != device_) {
    surface_.assign(host_, stream);
    device_ = host_;
  }
  paired_.searches = surfaces_.batch();
  paired_.surface = surface_.data();
  paired_.first_search = device_first_search_.data();
  paired_.pairs = pairs_;
  paired_.tunnelling = tunnelling_.data();
  point();
}

void DevicePairedSurfaces::make_room(int n_pair, DeviceStream stream) {
  selected_.resize(static_cast<std::size_t>(n_pair), stream);
  point();
}

void DevicePairedSurfaces::point() {
  paired_.selection = {paired_.pairs.n_slot,   paired_.pairs.flag, count_of_chunk_.data(),
                       first_of_chunk_.data(), capacity(),         selected_.data(),
                       n_selected_.data()};
}

/// Uploads the data that do not change between steps.
void DevicePairedSurfaces::fix(int n_env, DeviceStream stream) {
  const std::vector<DeviceSurfaces::Surface>& surfaces = surfaces_.surfaces();
  way_of_chunk_.resize(static_cast<std::size_t>(surfaces_.n_vertex_chunk()), stream);
  ways_.resize(surfaces.size(), stream);
  host_.assign(surfaces.size(), {});
  for (std::size_t k = 0; k < surfaces.size(); ++k) {
    const DeviceSurfaces::Surface& surface = surfaces[k];
    const SoftSearches::Surface& source = *surface.source;
    const auto& owner = surfaces_.sources()[surface.env];
    const auto order =
        std::make_shared<const std::vector<std::int32_t>>(order_at_rest(source.mesh));
    auto nodes = std::make_shared<std::vector<std::int32_t>>(source.mesh.nodes);
    for (std::int32_t& node : *nodes) node += source.first_node;
    surfaces_.views()[k].tree.triangle = surfaces_.constant(order, *order, stream);
    PairedSurface& own = host_[k];
    own.n_vertex = source.fixed.n_vertex;
    own.node = surfaces_.constant(nodes, *nodes, stream);
    own.vertex_x = surfaces_.x() + surface.first_vertex;
    own.vertex_v = surfaces_.v() + surface.first_vertex;
    own.edges = source.edges;
    own.edges.end = surfaces_.constant(owner, source.mesh.edges, stream);
    own.edges.sharp = surfaces_.constant(owner, source.sharp_edges, stream);
    own.edges.rest =
        reinterpret_cast<const Vec3d*>(surfaces_.constant(owner, source.mesh.rest, stream));
    own.way_of_chunk = way_of_chunk_.data() + surface.first_vertex_chunk;
    own.ways = ways_.data() + k;
  }
  surfaces_.send_views(stream);
  first_search_.assign(static_cast<std::size_t>(n_env) + 1, 0);
  for (const DeviceSurfaces::Search& search : surfaces_.searches()) ++first_search_[search.env + 1];
  for (int e = 0; e < n_env; ++e) first_search_[e + 1] += first_search_[e];
  device_first_search_.assign(first_search_, stream);
  const auto n_vertex_chunk = static_cast<std::size_t>(item_count(surfaces_.batch().n_vertex));
  tunnelling_.resize(surfaces_.searches().size() * n_vertex_chunk, stream);
  fix_slots(stream);
}

void DevicePairedSurfaces::fix_slots(DeviceStream stream) {
  const std::vector<DeviceSurfaces::Search>& searches = surfaces_.searches();
  const auto place_of = [&](std::size_t env, std::int32_t i, std::int32_t j) {
    const auto of = [](const DeviceSurfaces::Search& s) {
      return std::tuple(s.env, s.surface_i, s.surface_j);
    };
    const auto found = std::lower_bound(
        searches.begin(), searches.end(), std::tuple(env, i, j),
        [&](const DeviceSurfaces::Search& s, const auto& key) { return of(s) < key; });
    return static_cast<std::int32_t>(found - searches.begin());
  };
  slots_.clear();
  pairs_ = {};
  std::int64_t n_slot = 0, n_other = 0;
  for (const DeviceSurfaces::Search& search : searches) {
    PairSlots& own = slots_.emplace_back();
    const auto& i = surfaces_.surface(search.env, search.surface_i);
    const auto& j = surfaces_.surface(search.env, search.surface_j);
    own.first = static_cast<std::int32_t>(n_slot);
    own.n_vertex = i.fixed.n_vertex;
    own.n_edge = n_edge_looked_at(i, j);
    own.first_other = static_cast<std::int32_t>(n_other);
    own.partner = place_of(search.env, search.surface_j, search.surface_i);
    n_other += std::int64_t{kEdgePairs} * own.n_edge;
    n_slot += own.n_vertex + std::int64_t{kEdgePairs} * own.n_edge;
    require_few("pairs that can be", n_slot);
    pairs_.n_edge = std::max(pairs_.n_edge, own.n_edge);
  }
  const auto n_chunk = searches.size() * static_cast<std::size_t>(item_count(pairs_.n_edge));
  require_few("kernels' items", static_cast<std::int64_t>(n_chunk));
  pairs_.n_slot = static_cast<int>(n_slot);
  device_slots_.assign(slots_, stream);
  flag_.resize(static_cast<std::size_t>(n_slot), stream);
  gap_.resize(static_cast<std::size_t>(surfaces_.n_slot()), stream);
  normal_.resize(static_cast<std::size_t>(surfaces_.n_slot()), stream);
  other_.resize(static_cast<std::size_t>(n_other), stream);
  beyond_.resize(n_chunk, stream);
  const auto n_selection_chunk = static_cast<std::size_t>(FlagSelection::n_chunk(pairs_.n_slot));
  count_of_chunk_.resize(n_selection_chunk, stream);
  first_of_chunk_.resize(n_selection_chunk, stream);
  n_selected_.resize(1, stream);
  pairs_.slots = device_slots_.data();
  pairs_.flag = flag_.data();
  pairs_.gap = gap_.data();
  pairs_.normal = normal_.data();
  pairs_.other = other_.data();
  pairs_.beyond = beyond_.data();
}

}  // namespace nodia
