/// Mean position of a body.
#pragma once

#include <cstddef>

#include "host/simulation/simulation.hpp"

namespace nodia {

/// Mean position of the nodes or frames of a body [m].
inline Vec3d mean_position(const State& state, const BodyRange& body) {
  Vec3d sum{};
  for (auto k = static_cast<std::size_t>(body.first); k < static_cast<std::size_t>(body.end()); ++k)
    sum += body.kind == BodyKind::soft ? state.x[k] : state.frames[k].position;
  return (1 / static_cast<double>(body.n)) * sum;
}

}  // namespace nodia
