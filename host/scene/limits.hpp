/// Upper limits of a scene's sizes.
#pragma once

namespace nodia {

inline constexpr int kMaxMeshNodes = 4'000'000;
inline constexpr int kMaxLinks = 1'000'000;  ///< links of a cable
inline constexpr int kMaxSteps = 1'000'000'000;

}  // namespace nodia
