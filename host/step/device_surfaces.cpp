/// Upload of soft surfaces to a device.
#include "host/step/device_surfaces.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/core/error.hpp"

namespace nodia {

void require_few(const char* what, std::int64_t n) {
  if (n > std::int64_t{1} << SurfaceTree::kMostLevels)
    throw_bad_value(std::string("soft surfaces on a device: ") + what, static_cast<double>(n),
                    "<= 2^30", "take fewer environments");
}

void DeviceSurfaces::Places::add(const SoftSurface& s) {
  vertex += s.n_vertex;
  triangle += s.n_triangle;
  vertex_chunk += item_count(s.n_vertex);
  triangle_chunk += item_count(s.n_triangle);
  node += std::int64_t{1} << tree_levels(s.n_triangle);
}

void DeviceSurfaces::make_room(const Places& all, DeviceStream stream) {
  const auto n_vertex = static_cast<std::size_t>(all.vertex),
             n_triangle = static_cast<std::size_t>(all.triangle);
  x_.resize(n_vertex, stream);
  v_.resize(n_vertex, stream);
  normal_.resize(n_triangle, stream);
  triangle_box_.resize(n_triangle, stream);
  box_of_chunk_.resize(static_cast<std::size_t>(all.triangle_chunk), stream);
  speed_of_chunk_.resize(static_cast<std::size_t>(all.vertex_chunk), stream);
  tree_box_.resize(static_cast<std::size_t>(all.node), stream);
  extent_.resize(surfaces_.size(), stream);
}

void DeviceSurfaces::fix_surface(const std::shared_ptr<const SoftSearches>& source,
                                 const SoftSearches::Surface& surface, const Places& begin,
                                 DeviceStream stream) {
  const auto get = [&](const auto& list) { return constant(source, list, stream); };
  const SurfaceMesh& mesh = surface.mesh;
  SearchedSurface own;
  SoftSurface& s = own.surface = surface.fixed;
  s.corner = get(mesh.triangles);
  s.triangle_edge = get(mesh.triangle_edges);
  s.vertex_begin = get(mesh.vertex_begin);
  s.around_vertex = get(mesh.around_vertex);
  s.edge_begin = get(mesh.edge_begin);
  s.around_edge = get(mesh.around_edge);
  s.left_out_begin = get(surface.left_out_begin);
  s.left_out = get(surface.left_out);
  s.x = x_.data() + begin.vertex;
  s.v = v_.data() + begin.vertex;
  s.normal = own.normal = normal_.data() + begin.triangle;
  own.triangle_box = triangle_box_.data() + begin.triangle;
  own.box_of_chunk = box_of_chunk_.data() + begin.triangle_chunk;
  own.speed_of_chunk = speed_of_chunk_.data() + begin.vertex_chunk;
  own.extent = extent_.data() + views_.size();
  own.tree_box = tree_box_.data() + begin.node;
  own.tree.n_level = tree_levels(s.n_triangle);
  own.tree.n_triangle = s.n_triangle;
  own.tree.triangle_box = own.triangle_box;
  own.tree.box = own.tree_box;
  views_.push_back(own);
}

/// Index in the list of surfaces.
std::size_t DeviceSurfaces::place_of(const SoftSearches& searches, std::int32_t number) {
  const auto& list = searches.surface;
  const auto found =
      std::lower_bound(list.begin(), list.end(), number,
                       [](const SoftSearches::Surface& s, std::int32_t n) { return s.number < n; });
  return static_cast<std::size_t>(found - list.begin());
}

bool DeviceSurfaces::fix(const Sources& sources, DeviceStream stream) {
  if (sources == sources_) return false;
  searches_.clear();
  surfaces_.clear();
  views_.clear();
  host_search_.clear();
  device_search_.clear();
  batch_ = {};
  sources_.clear();
  Places all;
  std::int64_t n_slot = 0;
  for (std::size_t e = 0; e < sources.size(); ++e) {
    if (sources[e] == nullptr) continue;
    const auto first = static_cast<std::int32_t>(surfaces_.size());
    const auto place = [&](std::int32_t number) {
      return static_cast<std::int32_t>(place_of(*sources[e], number));
    };
    for (const SoftSearches::Surface& s : sources[e]->surface) {
      surfaces_.push_back({e, &s, static_cast<std::int32_t>(all.vertex),
                           static_cast<std::int32_t>(all.vertex_chunk)});
      all.add(s.fixed);
      require_few("vertices", all.vertex);
      require_few("triangles", all.triangle);
      batch_.n_vertex = std::max(batch_.n_vertex, s.fixed.n_vertex);
      batch_.n_triangle = std::max(batch_.n_triangle, s.fixed.n_triangle);
    }
    for (const auto& [i, j] : sources[e]->search) {
      searches_.push_back({e, i, j, static_cast<std::int32_t>(n_slot)});
      host_search_.push_back(
          {first + place(i), first + place(j), static_cast<std::int32_t>(n_slot), {}});
      n_slot += sources[e]->surface[place_of(*sources[e], i)].fixed.n_vertex;
      require_few("vertices in all searches", n_slot);
    }
  }
  n_slot_ = static_cast<std::int32_t>(n_slot);
  batch_.n_level = tree_levels(batch_.n_triangle);
  batch_.n_surface = static_cast<int>(surfaces_.size());
  batch_.n_search = static_cast<int>(searches_.size());
  require_few("kernels' items", std::int64_t{2} * batch_.n_surface * item_count(batch_.n_triangle));
  require_few("kernels' items", std::int64_t{batch_.n_search} * item_count(batch_.n_vertex));
  make_room(all, stream);
  // Keeps the old arrays until the new ones exist, so that equal arrays are not uploaded again.
  const std::vector<std::shared_ptr<const void>> before = std::exchange(held_, {});
  Places begin;
  for (const auto& source : sources) {
    if (source == nullptr) continue;
    for (const SoftSearches::Surface& s : source->surface) {
      fix_surface(source, s, begin, stream);
      begin.add(s.fixed);
    }
  }
  sources_ = sources;
  return true;
}

void DeviceSurfaces::send_views(DeviceStream stream) {
  surface_.assign(views_, stream);
  batch_.surface = surface_.data();
}

void DeviceSurfaces::send_searches(DeviceStream stream) {
  if (host_search_ == device_search_) return;
  search_.assign(host_search_, stream);
  device_search_ = host_search_;
  batch_.search = search_.data();
}

}  // namespace nodia
