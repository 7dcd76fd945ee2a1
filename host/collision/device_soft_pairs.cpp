#include "host/collision/device_soft_pairs.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <type_traits>
#include <utility>

#include "kernels/collision/device/device_search.hpp"
#include "kernels/core/error.hpp"
#include "kernels/cpu/over_items.hpp"
#include "kernels/device/device.hpp"
#include "kernels/device/run_loop.hpp"
#include "kernels/device/select_flagged.hpp"
#include "kernels/device/shared_arrays.hpp"
#include "kernels/device/sort_pairs.hpp"

namespace nodia {
namespace {

constexpr const char* kWhat = "pairs of soft surfaces";

using Sources = std::vector<std::shared_ptr<const SoftSearches>>;

/// Counts of what surfaces have, which say where each one's part of an array begins.
struct Places {
  std::int64_t vertex = 0, triangle = 0, vertex_chunk = 0, triangle_chunk = 0, node = 0;

  void add(const SoftSurface& s) {
    vertex += s.n_vertex;
    triangle += s.n_triangle;
    vertex_chunk += item_count(s.n_vertex);
    triangle_chunk += item_count(s.n_triangle);
    node += std::int64_t{1} << tree_levels(s.n_triangle);
  }
};

/// Places and nodes of a tree are counted in 32 bits too, twice as many as triangles.
void require_few(const char* what, std::int64_t n) {
  if (n > std::int64_t{1} << SurfaceTree::kMostLevels)
    throw_bad_value(std::string(kWhat) + ": " + what, static_cast<double>(n), "<= 2^30",
                    "take fewer environments");
}

}  // namespace

/// Of environments whose searches are the same from step to step.
class DeviceSoftPairs::Batch {
 public:
  explicit Batch(bool checked) : checked_(checked), stream_(kWhat) {}

  DeviceStream stream() const { return stream_.get(); }
  void find(std::span<ProximitySearch* const> env, const Sources& sources, int n_thread,
            std::vector<std::vector<VertexHit>>* out);

 private:
  /// A search, of an environment.
  struct Search {
    std::size_t env = 0;
    std::int32_t surface_i = 0, surface_j = 0;  ///< as its ProximitySearch numbers them
    std::int32_t first_slot = 0;
  };
  /// A surface, of an environment.
  struct Surface {
    std::size_t env = 0;
    std::int32_t number = 0;
    std::int32_t first_vertex = 0, n_vertex = 0;
  };

  void fix(const Sources& sources);
  void make_room(const Places& all);
  void fix_surface(const std::shared_ptr<const SoftSearches>& source,
                   const SoftSearches::Surface& surface, const Places& begin);
  void set_reach(std::span<ProximitySearch* const> env);
  void upload_vertices(std::span<ProximitySearch* const> env, int n_thread);
  void distribute(const std::vector<std::int32_t>& slots, const std::vector<SurfaceHit>& hits,
                  std::vector<std::vector<VertexHit>>* out) const;

  bool checked_;
  OwnedStream stream_;
  Sources sources_;
  SharedDeviceArrays arrays_;
  std::vector<std::shared_ptr<const void>> held_;  ///< of the surfaces
  std::vector<Search> searches_;
  std::vector<Surface> surfaces_;
  std::vector<SearchedSurface> surface_here_;
  std::vector<VertexSearch> search_here_, search_there_;
  SurfaceBatch batch_;
  std::vector<Vec3d> x_here_;
  std::vector<PointMotion> v_here_;

  DeviceBuffer<SearchedSurface> surface_;
  DeviceBuffer<VertexSearch> search_;
  DeviceBuffer<Vec3d> x_, normal_;
  DeviceBuffer<PointMotion> v_;
  DeviceBuffer<Bounds> triangle_box_, box_of_chunk_, speed_of_chunk_, tree_box_;
  DeviceBuffer<BodyExtent> extent_;
  DeviceBuffer<std::uint64_t> key_, sorted_key_;
  DeviceBuffer<std::int32_t> unsorted_, sorted_, slot_, n_slot_;
  DeviceBuffer<std::uint8_t> flag_;
  DeviceBuffer<SurfaceHit> hit_;
  DeviceSortPairs sort_;
  DeviceSelectFlagged select_;
};

void DeviceSoftPairs::Batch::make_room(const Places& all) {
  const DeviceStream stream = stream_.get();
  const auto n_vertex = static_cast<std::size_t>(all.vertex),
             n_triangle = static_cast<std::size_t>(all.triangle), n_surface = surfaces_.size();
  x_here_.resize(n_vertex);
  v_here_.resize(n_vertex);
  x_.resize(n_vertex, stream);
  v_.resize(n_vertex, stream);
  normal_.resize(n_triangle, stream);
  triangle_box_.resize(n_triangle, stream);
  box_of_chunk_.resize(static_cast<std::size_t>(all.triangle_chunk), stream);
  speed_of_chunk_.resize(static_cast<std::size_t>(all.vertex_chunk), stream);
  tree_box_.resize(static_cast<std::size_t>(all.node), stream);
  extent_.resize(n_surface, stream);
  key_.resize(n_triangle, stream);
  sorted_key_.resize(n_triangle, stream);
  unsorted_.resize(n_triangle, stream);
  sorted_.resize(n_triangle, stream);
  n_slot_.resize(1, stream);
  const int n_bit = kCellBits + static_cast<int>(std::bit_width(n_surface));
  sort_ = DeviceSortPairs(static_cast<int>(n_triangle), n_bit);
}

void DeviceSoftPairs::Batch::fix_surface(const std::shared_ptr<const SoftSearches>& source,
                                         const SoftSearches::Surface& surface,
                                         const Places& begin) {
  const auto get = [&](const auto& list) {
    using Element = typename std::remove_cvref_t<decltype(list)>::value_type;
    constexpr std::size_t kInts = sizeof(Element) / sizeof(std::int32_t);
    const auto held = arrays_.get(source, reinterpret_cast<const std::int32_t*>(list.data()),
                                  kInts * list.size(), stream_.get());
    held_.push_back(held);
    return held.get();
  };
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
  own.extent = extent_.data() + surface_here_.size();
  own.first_key = std::uint64_t{surface_here_.size()} << kCellBits;
  own.key = key_.data() + begin.triangle;
  own.unsorted = unsorted_.data() + begin.triangle;
  own.tree_box = tree_box_.data() + begin.node;
  own.tree.n_level = tree_levels(s.n_triangle);
  own.tree.n_triangle = s.n_triangle;
  own.tree.triangle = sorted_.data() + begin.triangle;
  own.tree.triangle_box = own.triangle_box;
  own.tree.box = own.tree_box;
  surface_here_.push_back(own);
}

/// What stays over the steps.
void DeviceSoftPairs::Batch::fix(const Sources& sources) {
  if (sources == sources_) return;
  searches_.clear();
  surfaces_.clear();
  surface_here_.clear();
  search_here_.clear();
  search_there_.clear();
  batch_ = {};
  sources_.clear();
  Places all;
  std::int64_t n_slot = 0;
  for (std::size_t e = 0; e < sources.size(); ++e) {
    if (sources[e] == nullptr) continue;
    const auto first = static_cast<std::int32_t>(surfaces_.size());
    const auto place_of = [&](std::int32_t number) {
      const auto& list = sources[e]->surface;
      const auto found = std::lower_bound(
          list.begin(), list.end(), number,
          [](const SoftSearches::Surface& s, std::int32_t n) { return s.number < n; });
      return static_cast<std::int32_t>(found - list.begin());
    };
    for (const SoftSearches::Surface& s : sources[e]->surface) {
      surfaces_.push_back({e, s.number, static_cast<std::int32_t>(all.vertex), s.fixed.n_vertex});
      all.add(s.fixed);
      require_few("vertices", all.vertex);
      require_few("triangles", all.triangle);
      batch_.n_vertex = std::max(batch_.n_vertex, s.fixed.n_vertex);
      batch_.n_triangle = std::max(batch_.n_triangle, s.fixed.n_triangle);
    }
    for (const auto& [i, j] : sources[e]->search) {
      searches_.push_back({e, i, j, static_cast<std::int32_t>(n_slot)});
      search_here_.push_back(
          {first + place_of(i), first + place_of(j), static_cast<std::int32_t>(n_slot), {}});
      n_slot += sources[e]->surface[static_cast<std::size_t>(place_of(i))].fixed.n_vertex;
      require_few("vertices in all searches", n_slot);
    }
  }
  batch_.n_level = tree_levels(batch_.n_triangle);
  batch_.n_surface = static_cast<int>(surfaces_.size());
  batch_.n_search = static_cast<int>(searches_.size());
  require_few("kernels' items", std::int64_t{2} * batch_.n_surface * item_count(batch_.n_triangle));
  require_few("kernels' items", std::int64_t{batch_.n_search} * item_count(batch_.n_vertex));
  make_room(all);
  flag_.resize(static_cast<std::size_t>(n_slot), stream_.get());
  slot_.resize(static_cast<std::size_t>(n_slot), stream_.get());
  select_ = DeviceSelectFlagged(static_cast<int>(n_slot));
  // Until the new ones are there: equal arrays are not sent again.
  const std::vector<std::shared_ptr<const void>> before = std::exchange(held_, {});
  Places begin;
  for (const auto& source : sources) {
    if (source == nullptr) continue;
    for (const SoftSearches::Surface& s : source->surface) {
      fix_surface(source, s, begin);
      begin.add(s.fixed);
    }
  }
  surface_.assign(surface_here_, stream_.get());
  batch_.surface = surface_.data();
  batch_.flag = flag_.data();
  batch_.slot = slot_.data();
  sources_ = sources;
}

void DeviceSoftPairs::Batch::set_reach(std::span<ProximitySearch* const> env) {
  for (std::size_t k = 0; k < searches_.size(); ++k)
    search_here_[k].reach = env[searches_[k].env]->reach();
  if (search_here_ == search_there_) return;
  search_.assign(search_here_, stream_.get());
  search_there_ = search_here_;
  batch_.search = search_.data();
}

void DeviceSoftPairs::Batch::upload_vertices(std::span<ProximitySearch* const> env, int n_thread) {
  for_items(static_cast<int>(surfaces_.size()), n_thread, [&](int k) {
    const Surface& own = surfaces_[static_cast<std::size_t>(k)];
    const SoftVertices from = env[own.env]->vertices(own.number);
    std::copy_n(from.x, own.n_vertex, x_here_.begin() + own.first_vertex);
    std::copy_n(from.v, own.n_vertex, v_here_.begin() + own.first_vertex);
  });
  x_.upload(x_here_, stream_.get());
  v_.upload(v_here_, stream_.get());
}

void DeviceSoftPairs::Batch::find(std::span<ProximitySearch* const> env, const Sources& sources,
                                  int n_thread, std::vector<std::vector<VertexHit>>* out) {
  const DeviceStream stream = stream_.get();
  fix(sources);
  set_reach(env);
  upload_vertices(env, n_thread);
  cell_keys_on_device(batch_, stream, checked_);
  sort_(key_.data(), unsorted_.data(), sorted_key_.data(), sorted_.data(), stream);
  flag_vertices_on_device(batch_, stream, checked_);
  select_(flag_.data(), static_cast<int>(flag_.size()), slot_.data(), n_slot_.data(), stream);
  const std::int32_t n = n_slot_.download(stream).front();
  if (n == 0) return;
  hit_.resize(static_cast<std::size_t>(n), stream);
  batch_.n_pair = n;
  batch_.hit = hit_.data();
  write_hits_on_device(batch_, stream, checked_);
  std::vector<std::int32_t> slots(static_cast<std::size_t>(n));
  copy_to_host(slots.data(), slot_.data(), slots.size() * sizeof(std::int32_t), stream);
  distribute(slots, hit_.download(stream), out);
}

/// @param slots  ascending
void DeviceSoftPairs::Batch::distribute(const std::vector<std::int32_t>& slots,
                                        const std::vector<SurfaceHit>& hits,
                                        std::vector<std::vector<VertexHit>>* out) const {
  std::size_t s = 0;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    while (s + 1 < searches_.size() && searches_[s + 1].first_slot <= slots[k]) ++s;
    const Search& own = searches_[s];
    (*out)[own.env].push_back({own.surface_i, own.surface_j, slots[k] - own.first_slot, hits[k]});
  }
}

DeviceSoftPairs::DeviceSoftPairs(int device, std::optional<LoopLauncher> launcher)
    : device_(device), launcher_(launcher.value_or(LoopLauncher::launches)) {}
DeviceSoftPairs::~DeviceSoftPairs() = default;

void DeviceSoftPairs::find(std::span<ProximitySearch* const> env, int n_thread,
                           std::vector<std::vector<VertexHit>>* out) {
  out->resize(env.size());
  Sources sources(env.size());
  bool any = false;
  for (std::size_t e = 0; e < env.size(); ++e) {
    (*out)[e].clear();
    if (env[e] == nullptr || env[e]->soft_searches()->search.empty()) continue;
    sources[e] = env[e]->soft_searches();
    any = true;
  }
  if (!any) return;
  const DeviceScope scope(device_);
  try {
    if (!batch_) batch_ = std::make_unique<Batch>(launcher_ == LoopLauncher::checked);
    launch_as(kWhat, launcher_, batch_->stream(),
              [&] { batch_->find(env, sources, n_thread, out); });
    synchronize_loop(kWhat, batch_->stream());
  } catch (...) {
    batch_.reset();
    throw;
  }
}

}  // namespace nodia
