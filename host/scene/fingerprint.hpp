/// Whether two scenes go through the same steps.
#pragma once

#include <cstdint>

#include "host/scene/scene.hpp"

namespace nodia {

/// Of all that steps depend on: the scene but for its name, its duration and the words of messages.
/// Equal scenes have equal ones, different ones hardly ever.
std::uint64_t fingerprint(const Scene& scene);

}  // namespace nodia
