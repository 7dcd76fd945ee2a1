/// Soft surfaces of environments side by side in the memory of a device, for who searches between
/// them there: what is fixed of them, and room for what kernels find out in a step.
#pragma once

#include <memory>
#include <vector>

#include "host/collision/soft_searches.hpp"
#include "kernels/collision/search_surfaces.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/device/shared_arrays.hpp"

namespace nodia {

/// Places are counted in 32 bits, those of a tree too, which has twice as many as triangles.
/// @throws InputError where n exceeds 2^30
void require_few(const char* what, std::int64_t n);

class DeviceSurfaces {
 public:
  /// Per environment its searches; null: none.
  using Sources = std::vector<std::shared_ptr<const SoftSearches>>;

  /// A search, of an environment.
  struct Search {
    std::size_t env = 0;
    std::int32_t surface_i = 0, surface_j = 0;  ///< as SoftSearches numbers them
    std::int32_t first_slot = 0;                ///< VertexSearch::first_slot
  };
  /// A surface, of an environment.
  struct Surface {
    std::size_t env = 0;
    const SoftSearches::Surface* source = nullptr;
    std::int32_t first_vertex = 0, first_triangle = 0;  ///< in arrays over all surfaces
    std::int32_t first_vertex_chunk = 0;                ///< likewise, of item_count(n_vertex)
  };

  /// Takes the searches where they are others than before; what they ask for lies in the order of
  /// the environments.
  /// @return whether they are: then views() are to be completed and sent
  /// @throws InputError where vertices or triangles exceed 2^30
  bool fix(const Sources& sources, DeviceStream stream);
  /// A list of a surface in device memory, where equal ones lie once; as long as the sources stay.
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
  /// Of an environment, by its number there.
  const SoftSearches::Surface& surface(std::size_t env, std::int32_t number) const {
    return sources_[env]->surface[place_of(*sources_[env], number)];
  }
  std::int32_t n_vertex() const { return static_cast<std::int32_t>(x_.size()); }
  std::int32_t n_triangle() const { return static_cast<std::int32_t>(normal_.size()); }
  std::int32_t n_vertex_chunk() const { return static_cast<std::int32_t>(speed_of_chunk_.size()); }
  std::int32_t n_slot() const { return n_slot_; }
  Vec3d* x() { return x_.data(); }
  PointMotion* v() { return v_.data(); }
  /// Of the surfaces, on the host: but for the order of triangles in the tree, and keys.
  std::vector<SearchedSurface>& views() { return views_; }
  void send_views(DeviceStream stream);
  /// @param reach  reach(env)
  template <class Reach>
  void send_reach(const Reach& reach, DeviceStream stream) {
    for (std::size_t k = 0; k < searches_.size(); ++k)
      search_here_[k].reach = reach(searches_[k].env);
    send_searches(stream);
  }
  /// What was sent, but for flags, slots and hits.
  const SurfaceBatch& batch() const { return batch_; }

 private:
  /// Counts of what surfaces have, which say where each one's part of an array begins.
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
  std::vector<std::shared_ptr<const void>> held_;  ///< of the surfaces
  std::vector<Search> searches_;
  std::vector<Surface> surfaces_;
  std::int32_t n_slot_ = 0;
  std::vector<SearchedSurface> views_;
  std::vector<VertexSearch> search_here_, search_there_;
  SurfaceBatch batch_;

  DeviceBuffer<SearchedSurface> surface_;
  DeviceBuffer<VertexSearch> search_;
  DeviceBuffer<Vec3d> x_, normal_;
  DeviceBuffer<PointMotion> v_;
  DeviceBuffer<Bounds> triangle_box_, box_of_chunk_, speed_of_chunk_, tree_box_;
  DeviceBuffer<BodyExtent> extent_;
};

}  // namespace nodia
