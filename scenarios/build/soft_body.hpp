/// Soft bodies of a scenario.
#pragma once

#include <string>

#include "host/scene/scene.hpp"
#include "scenarios/build/mesh.hpp"
#include "scenarios/build/references.hpp"
#include "scenarios/build/surface.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

struct BodyEntry {
  std::string name;
  MeshSource mesh;
  Material material;
  Vec3d position_m{};
  Quaternion orientation_wxyz{};
  Vec3d velocity_m_s{};
  double friction = SoftBodyDescription{}.friction;
  bool self_contact = SoftBodyDescription{}.self_contact;
  double thickness_m = SoftBodyDescription{}.thickness_m;
};

template <class V>
void visit_keys(V& v, Material& m) {
  v.real({"youngs_modulus_Pa", "[Pa]", "75e3 is a soft rubber"}, m.youngs_modulus_Pa,
         Range::positive());
  v.real({"poissons_ratio", "[-]", "try 0.35; 0.49 is nearly incompressible"}, m.poissons_ratio,
         Range::open(-1, 0.5));
  v.real({"density_kg_m3", "[kg/m^3]", "water has 1000"}, m.density_kg_m3, Range::positive());
  v.real({"rayleigh_mass_1_s", "alpha of D = alpha M + beta K [1/s]", "try 0"}, m.rayleigh_mass_1_s,
         Range::not_negative());
  v.real({"rayleigh_stiffness_s", "beta of D = alpha M + beta K [s]", "try 0"},
         m.rayleigh_stiffness_s, Range::not_negative());
}

template <class V>
void visit_keys(V& v, BodyEntry& b) {
  v.group({"mesh", "rest shape", "give file, box, mat or ball", true}, b.mesh);
  visit_keys(v, b.material);
  v.vector({"position_m", "of the mesh's origin at the start [m]"}, b.position_m, Range::any());
  v.quaternion({"orientation_wxyz", "of the mesh at the start, unit quaternion",
                "[1, 0, 0, 0] is no rotation"},
               b.orientation_wxyz);
  v.vector({"velocity_m_s", "at the start [m/s]"}, b.velocity_m_s, Range::any());
  visit_friction(v, b.friction);
  v.boolean({"self_contact", "contact of the body with itself"}, b.self_contact);
  v.real({"thickness_m", "the surface is this far outside the mesh, between moving bodies [m]",
          "try 0"},
         b.thickness_m, Range::not_negative());
}

/// @param root  the tree the entry was read from, for messages
SoftBodyDescription soft_body_of(const YamlNode& root, const BodyEntry& entry, SceneFiles* files);

}  // namespace nodia
