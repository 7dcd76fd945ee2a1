/// Cables of a scenario.
#pragma once

#include <string>
#include <vector>

#include "host/scene/keys.hpp"
#include "host/scene/limits.hpp"
#include "host/scene/scene.hpp"
#include "scenarios/build/build_context.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

struct CableEntry {
  std::string name;
  std::vector<Vec3d> points_m;
  int links = CableDescription{}.links;
  double radius_m = CableDescription{}.radius_m;
  RodMaterial material;
  double friction = CableDescription{}.friction;
  RodContact contact = CableDescription{}.contact;
  bool self_contact = CableDescription{}.self_contact;
};

inline void visit_keys(DocumentVisitor& v, CableEntry& c) {
  v.points({"points_m", "polyline from the rear to the front, at rest and at the start [m]",
            "[[0, 0, 1], [1, 0, 1]]", true},
           c.points_m);
  visit_links(v, c.links);
  visit_rod_radius(v, c.radius_m);
  visit_keys(v, c.material);
  visit_friction(v, c.friction);
  v.choice({"contact",
            "where contact forces act: segments, along the whole length; link_centres, spheres at "
            "the centres of the links"},
           c.contact,
           Choices<RodContact>{{"link_centres", RodContact::link_centres},
                               {"segments", RodContact::segments}});
  v.boolean({"self_contact", "contact of the cable with itself; needs contact: segments"},
            c.self_contact);
}

inline CableDescription description_of(const CableEntry& entry, BuildContext*) {
  return {entry.name,     entry.points_m, entry.links,   entry.radius_m,
          entry.material, entry.friction, entry.contact, entry.self_contact};
}

}  // namespace nodia
