/// The objects of a scene that can touch each other.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

/// Objects are numbered in the order of SurfaceId::Kind: soft bodies, rigid bodies, cables, robots,
/// obstacles.
struct ObjectNumbers {
  explicit ObjectNumbers(const Scene& scene);

  /// @param kind  of SurfaceId, @param index  in the scene's list of that kind
  std::int32_t number(int kind, std::int32_t index) const { return first[kind] + index; }
  std::int32_t size() const { return first[5]; }

  std::int32_t first[6] = {0, 0, 0, 0, 0, 0};  ///< of a kind, and the end
  std::vector<std::string> name;               ///< [size]
};

/// Every pair a <= b that contact detection tests: (a, a) for bodies and cables with self-contact;
/// no two obstacles; no robot with itself, without collision shapes, or of which the only links
/// with shapes are those that hold the other object.
std::vector<std::pair<std::int32_t, std::int32_t>> touching_pairs(const Scene& scene);

}  // namespace nodia
