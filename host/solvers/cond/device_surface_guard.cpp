#include "host/solvers/cond/device_surface_guard.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "kernels/collision/surface_tree.hpp"

namespace nodia {
namespace {

/// Triangles by the cells of their middles at rest: as near each other as their places are, as long
/// as a body is not crumpled.
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

}  // namespace

void DeviceSurfaceGuard::take(const ContactProblem& p, const DeviceSoftRows& soft,
                              const std::vector<SoftContacts>& contacts, DeviceStream stream) {
  DeviceSurfaces::Sources sources;
  bool any = false;
  for (std::size_t e = 0; e < contacts.size(); ++e) {
    const ObstacleStep& step = p.soft[e].obstacles;
    sources.push_back(step.rests ? nullptr : step.contacts->soft_searches);
    any = any || sources.back() != nullptr;
  }
  if (!any) {
    guard_ = {};
    return;
  }
  const bool is_new = surfaces_.fix(sources, stream);
  if (is_new) fix(p.n_env(), stream);
  surfaces_.send_reach([&](std::size_t e) { return p.soft[e].obstacles.contacts->reach; }, stream);
  for (std::size_t k = 0; k < here_.size(); ++k) {
    const std::size_t e = surfaces_.surfaces()[k].env;
    here_[k].x = soft.on_host()[e].x;
    here_[k].v = soft.on_host()[e].v;
    here_[k].v_free = contacts[e].v_free;
    here_[k].end = soft.on_host()[e].padded_x;
  }
  if (is_new || here_ != there_) {
    surface_.assign(here_, stream);
    there_ = here_;
  }
  guard_.searches = surfaces_.batch();
  guard_.surface = surface_.data();
  guard_.n_sharp = n_sharp_;
  guard_.first_search = first_search_.data();
  guard_.near_vertices = near_vertices_.data();
  guard_.near_edges = near_edges_.data();
  guard_.passages = passages_.data();
}

/// What stays over the steps.
void DeviceSurfaceGuard::fix(int n_env, DeviceStream stream) {
  const std::vector<DeviceSurfaces::Surface>& surfaces = surfaces_.surfaces();
  const auto n_search = surfaces_.searches().size();
  way_of_chunk_.resize(static_cast<std::size_t>(surfaces_.n_vertex_chunk()), stream);
  ways_.resize(surfaces.size(), stream);
  n_sharp_ = 0;
  here_.assign(surfaces.size(), {});
  for (std::size_t k = 0; k < surfaces.size(); ++k) {
    const DeviceSurfaces::Surface& surface = surfaces[k];
    const SoftSearches::Surface& source = *surface.source;
    const auto& owner = surfaces_.sources()[surface.env];
    const auto order =
        std::make_shared<const std::vector<std::int32_t>>(order_at_rest(source.mesh));
    auto nodes = std::make_shared<std::vector<std::int32_t>>(source.mesh.nodes);
    for (std::int32_t& node : *nodes) node += source.first_node;
    surfaces_.views()[k].tree.triangle = surfaces_.constant(order, *order, stream);
    GuardedSurface& own = here_[k];
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
    n_sharp_ = std::max(n_sharp_, own.edges.n_sharp);
  }
  surfaces_.send_views(stream);
  std::vector<std::int32_t> first_search(static_cast<std::size_t>(n_env) + 1, 0);
  for (const DeviceSurfaces::Search& search : surfaces_.searches()) ++first_search[search.env + 1];
  for (std::size_t e = 0; e + 1 < first_search.size(); ++e) first_search[e + 1] += first_search[e];
  first_search_.assign(first_search, stream);
  const auto n_vertex_chunk = static_cast<std::size_t>(item_count(surfaces_.batch().n_vertex)),
             n_edge_chunk = static_cast<std::size_t>(item_count(n_sharp_));
  near_vertices_.resize(n_search * n_vertex_chunk, stream);
  near_edges_.resize(n_search * n_edge_chunk, stream);
  passages_.resize(n_search * n_vertex_chunk, stream);
}

}  // namespace nodia
