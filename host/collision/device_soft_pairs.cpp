/// Search of vertices near soft surfaces on a device.
#include "host/collision/device_soft_pairs.hpp"

#include <algorithm>
#include <bit>

#include "host/collision/device_surfaces.hpp"
#include "kernels/collision/device/device_search.hpp"
#include "kernels/cpu/over_items.hpp"
#include "kernels/device/device.hpp"
#include "kernels/device/run_loop.hpp"
#include "kernels/device/select_flagged.hpp"
#include "kernels/device/sort_pairs.hpp"

namespace nodia {
namespace {

constexpr const char* kWhat = "pairs of soft surfaces";

}  // namespace

/// Batch of environments whose searches are the same in each step.
class DeviceSoftPairs::Batch {
 public:
  explicit Batch(LoopLauncher launcher)
      : stream_(kWhat), queue_(queue_of(launcher, stream_.get())) {}

  DeviceStream stream() const { return stream_.get(); }
  void find(std::span<ProximitySearch* const> env, const DeviceSurfaces::Sources& sources,
            int n_thread, std::vector<std::vector<VertexHit>>* out);

 private:
  void fix(const DeviceSurfaces::Sources& sources);
  void upload_vertices(std::span<ProximitySearch* const> env, int n_thread);
  void distribute(const std::vector<std::int32_t>& slots, const std::vector<SurfaceHit>& hits,
                  std::vector<std::vector<VertexHit>>* out) const;

  OwnedStream stream_;
  DeviceQueue queue_;
  DeviceSurfaces surfaces_;
  std::vector<Vec3d> host_x_;
  std::vector<PointMotion> host_v_;
  DeviceBuffer<std::uint64_t> key_, sorted_key_;
  DeviceBuffer<std::int32_t> unsorted_, sorted_, slot_, n_slot_;
  DeviceBuffer<std::uint8_t> flag_;
  DeviceBuffer<SurfaceHit> hit_;
  DeviceSortPairs sort_;
  DeviceSelectFlagged select_;
};

/// Uploads the data that are constant over the steps.
void DeviceSoftPairs::Batch::fix(const DeviceSurfaces::Sources& sources) {
  const DeviceStream stream = stream_.get();
  if (!surfaces_.fix(sources, stream)) return;
  const auto n_vertex = static_cast<std::size_t>(surfaces_.n_vertex()),
             n_triangle = static_cast<std::size_t>(surfaces_.n_triangle()),
             n_slot = static_cast<std::size_t>(surfaces_.n_slot()),
             n_surface = surfaces_.surfaces().size();
  host_x_.resize(n_vertex);
  host_v_.resize(n_vertex);
  key_.resize(n_triangle, stream);
  sorted_key_.resize(n_triangle, stream);
  unsorted_.resize(n_triangle, stream);
  sorted_.resize(n_triangle, stream);
  n_slot_.resize(1, stream);
  const int n_bit = kCellBits + static_cast<int>(std::bit_width(n_surface));
  sort_ = DeviceSortPairs(static_cast<int>(n_triangle), n_bit);
  flag_.resize(n_slot, stream);
  slot_.resize(n_slot, stream);
  select_ = DeviceSelectFlagged(static_cast<int>(n_slot));
  for (std::size_t k = 0; k < n_surface; ++k) {
    SearchedSurface& own = surfaces_.views()[k];
    const std::int32_t first = surfaces_.surfaces()[k].first_triangle;
    own.first_key = std::uint64_t{k} << kCellBits;
    own.key = key_.data() + first;
    own.unsorted = unsorted_.data() + first;
    own.tree.triangle = sorted_.data() + first;
  }
  surfaces_.send_views(stream);
}

void DeviceSoftPairs::Batch::upload_vertices(std::span<ProximitySearch* const> env, int n_thread) {
  for_items(static_cast<int>(surfaces_.surfaces().size()), n_thread, [&](int k) {
    const DeviceSurfaces::Surface& own = surfaces_.surfaces()[static_cast<std::size_t>(k)];
    const SoftVertices from = env[own.env]->vertices(own.source->number);
    std::copy_n(from.x, own.source->fixed.n_vertex, host_x_.begin() + own.first_vertex);
    std::copy_n(from.v, own.source->fixed.n_vertex, host_v_.begin() + own.first_vertex);
  });
  copy_to_device(surfaces_.x(), host_x_.data(), host_x_.size() * sizeof(Vec3d), stream_.get());
  copy_to_device(surfaces_.v(), host_v_.data(), host_v_.size() * sizeof(PointMotion),
                 stream_.get());
}

void DeviceSoftPairs::Batch::find(std::span<ProximitySearch* const> env,
                                  const DeviceSurfaces::Sources& sources, int n_thread,
                                  std::vector<std::vector<VertexHit>>* out) {
  const DeviceStream stream = stream_.get();
  fix(sources);
  surfaces_.send_reach([&](std::size_t e) { return env[e]->reach(); }, stream);
  upload_vertices(env, n_thread);
  SurfaceBatch batch = surfaces_.batch();
  batch.flag = flag_.data();
  batch.slot = slot_.data();
  cell_keys_on_device(batch, queue_);
  sort_(key_.data(), unsorted_.data(), sorted_key_.data(), sorted_.data(), stream);
  flag_vertices_on_device(batch, queue_);
  select_(flag_.data(), static_cast<int>(flag_.size()), slot_.data(), n_slot_.data(), stream);
  const std::int32_t n = n_slot_.download(stream).front();
  if (n == 0) return;
  hit_.resize(static_cast<std::size_t>(n), stream);
  batch.n_pair = n;
  batch.hit = hit_.data();
  write_hits_on_device(batch, queue_);
  std::vector<std::int32_t> slots(static_cast<std::size_t>(n));
  copy_to_host(slots.data(), slot_.data(), slots.size() * sizeof(std::int32_t), stream);
  distribute(slots, hit_.download(stream), out);
}

/// @param slots  ascending
void DeviceSoftPairs::Batch::distribute(const std::vector<std::int32_t>& slots,
                                        const std::vector<SurfaceHit>& hits,
                                        std::vector<std::vector<VertexHit>>* out) const {
  const std::vector<DeviceSurfaces::Search>& searches = surfaces_.searches();
  std::size_t s = 0;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    while (s + 1 < searches.size() && searches[s + 1].first_slot <= slots[k]) ++s;
    const DeviceSurfaces::Search& own = searches[s];
    (*out)[own.env].push_back({own.surface_i, own.surface_j, slots[k] - own.first_slot, hits[k]});
  }
}

DeviceSoftPairs::DeviceSoftPairs(int device, std::optional<LoopLauncher> launcher)
    : device_(device), launcher_(launcher.value_or(LoopLauncher::launches)) {}
DeviceSoftPairs::~DeviceSoftPairs() = default;

void DeviceSoftPairs::find(std::span<ProximitySearch* const> env, int n_thread,
                           std::vector<std::vector<VertexHit>>* out) {
  out->resize(env.size());
  DeviceSurfaces::Sources sources(env.size());
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
    if (!batch_) batch_ = std::make_unique<Batch>(launcher_);
    launch_as(kWhat, launcher_, batch_->stream(),
              [&] { batch_->find(env, sources, n_thread, out); });
    synchronize_loop(kWhat, batch_->stream());
  } catch (...) {
    batch_.reset();
    throw;
  }
}

}  // namespace nodia
