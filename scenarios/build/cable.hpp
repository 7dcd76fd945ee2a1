/// Cables of a scenario.
#pragma once

#include <string>
#include <vector>

#include "host/scene/limits.hpp"
#include "host/scene/scene.hpp"
#include "scenarios/build/surface.hpp"
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

template <class V>
void visit_keys(V& v, RodMaterial& m) {
  v.real({"youngs_modulus_Pa", "[Pa]", "1e7 is rubber"}, m.youngs_modulus_Pa, Range::positive());
  v.real({"poissons_ratio", "[-]", "try 0.3"}, m.poissons_ratio, Range::above_to(-1, 0.5));
  v.real({"density_kg_m3", "[kg/m^3]", "water has 1000"}, m.density_kg_m3, Range::positive());
  v.real({"shear_correction", "k of the shear stiffness k G A [-]", "try 1"}, m.shear_correction,
         Range::positive());
  v.real({"damping_s", "beta of D = beta K in the joints [s]", "try 0"}, m.damping_s,
         Range::not_negative());
  v.real({"drag_translation_N_s_m", "viscous drag on every link [N s/m]", "try 0"},
         m.drag_translation_N_s_m, Range::not_negative());
  v.real({"drag_rotation_Nms_rad", "viscous drag on every link [N m s/rad]", "try 0"},
         m.drag_rotation_Nms_rad, Range::not_negative());
}

template <class V>
void visit_keys(V& v, CableEntry& c) {
  v.points({"points_m", "polyline from the rear to the front, at rest and at the start [m]",
            "[[0, 0, 1], [1, 0, 1]]", true},
           c.points_m);
  v.integer({"links", "of equal length", "try 100"}, c.links, 1, kMaxLinks);
  v.real({"radius_m", "of its circular section [m]", "try 2e-3"}, c.radius_m, Range::positive());
  visit_keys(v, c.material);
  visit_friction(v, c.friction);
  v.choice({"contact", "where contact forces act"}, c.contact,
           Choices<RodContact>{{"link_centres", RodContact::link_centres},
                               {"segments", RodContact::segments}});
  v.boolean({"self_contact", "contact of the cable with itself; needs contact: segments"},
            c.self_contact);
}

inline CableDescription cable_of(const CableEntry& entry) {
  return {entry.name,     entry.points_m, entry.links,   entry.radius_m,
          entry.material, entry.friction, entry.contact, entry.self_contact};
}

}  // namespace nodia
