/// Pairs of objects of a scene that may collide.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "host/scene/objects.hpp"

namespace nodia {

/// Every pair a <= b of objects, by their numbers, that contact detection tests: (a, a) for bodies
/// cables and robots with self-contact. Omitted are two obstacles, a robot without collision
/// shapes, and a robot with an object that all its links with shapes hold.
std::vector<std::pair<std::int32_t, std::int32_t>> touching_pairs(const Scene& scene);

}  // namespace nodia
