#include "host/simulation/bodies/frames.hpp"

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

Frames::Frames(const Scene& scene, BodyLayout* layout) : FrameBodies(scene, *layout) {
  for (const RigidBodyDescription& body : scene.rigid_bodies) add_rigid(body, layout);
  for (const CableDescription& cable : scene.cables) {
    links_.push_back(polyline_rod(cable.points_m, {}, cable.links));
    model().add_rod(links_.back(), RodSection::circle(cable.radius_m), cable.material);
    for (const RodLink& link : links_.back())
      add_start({link.pose, {}, {}, {}, link.pose.position - links_.back().front().pose.position});
    layout->add(BodyKind::chain, static_cast<std::int32_t>(links_.back().size()));
  }
}

void Frames::add_surfaces(std::int32_t first_frame, SurfaceList* surfaces) const {
  std::int32_t frame = first_frame;
  for (std::size_t b = 0; b < scene_.rigid_bodies.size(); ++b)
    add_shapes(scene_.rigid_bodies[b], {ObjectKind::rigid_body, static_cast<std::int32_t>(b), 0},
               frame++, surfaces);
  for (std::size_t c = 0; c < scene_.cables.size(); ++c) {
    const CableDescription& cable = scene_.cables[c];
    RodSurface rod;
    rod.first_frame = frame;
    rod.n_link = cable.links;
    rod.radius_m = cable.radius_m;
    rod.link_length_m = length_of(cable) / cable.links;
    rod.contact = cable.contact;
    rod.self_contact = cable.self_contact;
    const ObjectId id{ObjectKind::cable, static_cast<std::int32_t>(c), 0};
    surfaces->add_rod(
        {id, surface_material(cable), rod.first_frame, cable.contact == RodContact::link_centres},
        rod);
    frame += cable.links;
  }
}

std::string Frames::find_fold(const std::vector<FramePose>& start,
                              const std::vector<FramePose>& end) const {
  auto link = static_cast<std::size_t>(first_frame()) + scene_.rigid_bodies.size();
  for (const CableDescription& cable : scene_.cables) {
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
