#include "host/simulation/bodies/frames.hpp"

namespace nodia {

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

}  // namespace nodia
