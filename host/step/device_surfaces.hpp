/// Soft surfaces of all environments in device memory, for searches of soft-soft pairs: constant
/// data, and memory for the results of a step.
#pragma once

#include <memory>
#include <vector>

#include "host/collision/soft_searches.hpp"
#include "kernels/collision/search_surfaces.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/device/shared_arrays.hpp"

namespace nodia {

/// Checks that n fits the 32-bit indices, also of a tree, which has twice as many nodes.
/// @throws InputError if n exceeds 2^30
void require_few(const char* what, std::int64_t n);

class DeviceSurfaces {
 public:
  /// Searches of each environment; null: none.
  using Sources = std::vector<std::shared_ptr<const SoftSearches>>;

  /// One search of an environment.
  struct Search {
    std::size_t env = 0;
    std::int32_t surface_i = 0, surface_j = 0;  ///< numbered as in SoftSearches
    std::int32_t first_slot = 0;                ///< VertexSearch::first_slot
  };
  /// One surface of an environment.
  struct Surface {
    std::size_t env = 0;
    const SoftSearches::Surface* source = nullptr;
    std::int32_t first_vertex = 0;        ///< in arrays over all surfaces
    std::int32_t first_vertex_chunk = 0;  ///< chunk index; item_count(n_vertex) chunks each
  };

  /// Updates the constant data if the searches changed. Data are in the order of the environments.
  /// @return true if changed: the caller must complete and send views()
  /// @throws InputError if vertices or triangles exceed 2^30
  bool fix(const Sources& sources, DeviceStream stream);
  /// List of a surface in device memory, shared between equal lists; valid as long as the sources.
  template <class Element>
  const std::int32_t* constant(const std::shared_ptr<const void>& owner,
                               const std::vector<Element>& list, DeviceStream stream) {
    static_assert(sizeof(Element) % sizeof(std::int32_t) == 0);
    auto held = arrays_.get(owner, reinterpret_cast<const std::int32_t*>(list.data()),
                            sizeof(Element) / sizeof(std::int32_t) * list.size(), stream);
    const std::int32_t* const there = held.get();
    held_.push_back(std::move(held));
    return there;
  }
  const Sources& sources() const { return sources_; }
  const std::vector<Surface>& surfaces() const { return surfaces_; }
  const std::vector<Search>& searches() const { return searches_; }
  /// Surface of an environment by its number there.
  const SoftSearches::Surface& surface(std::size_t env, std::int32_t number) const {
    return sources_[env]->surface[place_of(*sources_[env], number)];
  }
  std::int32_t n_vertex_chunk() const { return static_cast<std::int32_t>(speed_of_chunk_.size()); }
  std::int32_t n_slot() const { return n_slot_; }
  Vec3d* x() { return x_.data(); }
  PointMotion* v() { return v_.data(); }
  /// Surfaces on the host, without the triangle order of the tree.
  std::vector<SearchedSurface>& views() { return views_; }
  void send_views(DeviceStream stream);
  /// Sends the detection reach of the environments. @param reach  reach(env)
  template <class Reach>
  void send_reach(const Reach& reach, DeviceStream stream) {
    for (std::size_t k = 0; k < searches_.size(); ++k)
      host_search_[k].reach = reach(searches_[k].env);
    send_searches(stream);
  }
  /// Uploaded data.
  const SurfaceBatch& batch() const { return batch_; }

 private:
  /// Sizes of surfaces; their sums are the offsets in the arrays.
  struct Places {
    std::int64_t vertex = 0, triangle = 0, vertex_chunk = 0, triangle_chunk = 0, node = 0;

    void add(const SoftSurface& s);
  };
  static std::size_t place_of(const SoftSearches& searches, std::int32_t number);
  void make_room(const Places& all, DeviceStream stream);
  void fix_surface(const std::shared_ptr<const SoftSearches>& source,
                   const SoftSearches::Surface& surface, const Places& begin, DeviceStream stream);
  void send_searches(DeviceStream stream);

  Sources sources_;
  SharedDeviceArrays arrays_;
  std::vector<std::shared_ptr<const void>> held_;  ///< arrays of the surfaces
  std::vector<Search> searches_;
  std::vector<Surface> surfaces_;
  std::int32_t n_slot_ = 0;
  std::vector<SearchedSurface> views_;
  std::vector<VertexSearch> host_search_, device_search_;
  SurfaceBatch batch_;

  DeviceBuffer<SearchedSurface> surface_;
  DeviceBuffer<VertexSearch> search_;
  DeviceBuffer<Vec3d> x_, normal_;
  DeviceBuffer<PointMotion> v_;
  DeviceBuffer<Bounds> triangle_box_, box_of_chunk_, speed_of_chunk_, tree_box_;
  DeviceBuffer<BodyExtent> extent_;
};

}  // namespace nodia
