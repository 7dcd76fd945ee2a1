#include "host/simulation/bodies/find_fold.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace nodia {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kLargestBend = 160;  // of a joint [degrees]
constexpr double kLargestTurn = 90;   // of a joint within a step [degrees]

/// Rotation from a to b.
Quaternion turn_between(const FramePose& a, const FramePose& b) {
  return conjugate(a.orientation) * b.orientation;
}

/// Angle of a rotation [degrees], 0 to 180.
double angle_of(Quaternion q) {
  return 2 / kDegree * std::acos(std::fmin(1, std::fabs(q.w)));
}

}  // namespace

std::string find_fold(const Scene& scene, const std::vector<FramePose>& start,
                      const std::vector<FramePose>& end) {
  std::size_t link = scene.rigid_bodies.size();
  for (const CableDescription& cable : scene.cables) {
    for (int k = 0; k + 1 < cable.links; ++k) {
      const std::size_t i = link + static_cast<std::size_t>(k), j = i + 1;
      const Quaternion bend = turn_between(end[i], end[j]);
      const double turn = angle_of(conjugate(turn_between(start[i], start[j])) * bend);
      if (turn > kLargestTurn)
        return fmt::format(
            "links {} and {} of '{}' turn by {:.0f} degrees in the step, more than {:.0f} (take a "
            "smaller time.step_s)",
            k, k + 1, cable.name, turn, kLargestTurn);
      if (angle_of(bend) > kLargestBend)
        return fmt::format(
            "the angle of links {} and {} of '{}' is {:.0f} degrees, more than {:.0f}: the cable "
            "folds at a joint (take more links)",
            k, k + 1, cable.name, angle_of(bend), kLargestBend);
    }
    link += static_cast<std::size_t>(cable.links);
  }
  return {};
}

}  // namespace nodia
