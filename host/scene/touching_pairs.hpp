/// The objects of a scene that can touch each other.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "host/scene/objects.hpp"

namespace nodia {

/// Every pair a <= b of objects, by their numbers, that contact detection tests: (a, a) for bodies
/// and cables with self-contact; no two obstacles; no robot with itself, without collision shapes,
/// or of which the only links with shapes are those that hold the other object.
std::vector<std::pair<std::int32_t, std::int32_t>> touching_pairs(const Scene& scene);

}  // namespace nodia
