/// Most of what a scene may have.
#pragma once

namespace nodia {

inline constexpr int kMaxMeshNodes = 4'000'000;
inline constexpr int kMaxLinks = 1'000'000;  ///< of a cable
inline constexpr int kMaxSteps = 1'000'000'000;

}  // namespace nodia
