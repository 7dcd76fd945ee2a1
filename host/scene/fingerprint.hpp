/// Fingerprint of everything that determines the steps of a scene.
#pragma once

#include <cstdint>

#include "host/scene/scene.hpp"

namespace nodia {

/// Hash of the scene without its name, its duration and the texts of messages. Equal scenes have
/// equal hashes; different scenes almost never do.
std::uint64_t fingerprint(const Scene& scene);

}  // namespace nodia
