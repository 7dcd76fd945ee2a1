#include "host/scene/external_force.hpp"

#include <algorithm>

namespace nodia {

Vec3d ExternalForceDescription::mean_force_N(double begin_s, double end_s) const {
  const double overlap_s = std::min(from_s + duration_s, end_s) - std::max(from_s, begin_s);
  return overlap_s > 0 ? (overlap_s / (end_s - begin_s)) * force_N : Vec3d{};
}

}  // namespace nodia
