/// The magnitude of gravity in scenes that set none.
#pragma once

namespace nodia::test {

inline constexpr double kG = 9.81;  ///< [m/s^2]

}  // namespace nodia::test
