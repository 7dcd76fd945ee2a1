#include "scenarios/checks/masses.hpp"

namespace nodia {

namespace {

/// Masses of a body's nodes [kg].
std::vector<double> node_masses(const SoftBodyDescription& body) {
  std::vector<double> mass(body.mesh.nodes.size());
  for (const auto& tet : body.mesh.tets) {
    const auto at = [&](int k) {
      return body.mesh.nodes[static_cast<std::size_t>(tet[static_cast<std::size_t>(k)])];
    };
    const double quarter = body.material.density_kg_m3 * tet_volume(at(0), at(1), at(2), at(3)) / 4;
    for (const std::int32_t node : tet) mass[static_cast<std::size_t>(node)] += quarter;
  }
  return mass;
}

void add_masses(const SoftBodyDescription& body, std::vector<PointMass>* masses) {
  for (const double mass : node_masses(body))
    masses->push_back({mass, body.material.rayleigh_mass_1_s * mass, body.velocity, {}});
}
void add_masses(const RigidDescription& body, std::vector<PointMass>* masses) {
  masses->push_back({body.mass_kg, 0, body.velocity_m_s, body.force_N});
}
void add_masses(const CableDescription& cable, std::vector<PointMass>* masses) {
  for (const auto& [length, mass] : link_masses(cable))
    masses->push_back({mass, cable.material.drag_translation_N_s_m, {}, {}});
}
void add_masses(const RobotSceneDescription&, std::vector<PointMass>*) {}
void add_masses(const ObstacleDescription&, std::vector<PointMass>*) {}

}  // namespace

std::vector<std::pair<double, double>> link_masses(const CableDescription& cable) {
  std::vector<std::pair<double, double>> links;
  const RodSection section = RodSection::circle(cable.radius_m);
  for (const RodLink& link : polyline_rod(cable.points_m, {}, cable.links))
    links.emplace_back(link.length_m, link_mass(section, cable.material, link.length_m));
  return links;
}

std::vector<std::string> counted_names(const Scene& scene) {
  std::vector<std::string> names;
  const Objects objects(scene);
  for (const SceneObject& object : objects.all())
    if (is_counted(object.id)) names.push_back(object.surface.name);
  return names;
}

std::vector<PointMass> point_masses(const Scene& scene) {
  std::vector<PointMass> masses;
  visit_objects(scene, [&](ObjectKind, const char*, const auto& objects) {
    for (const auto& object : objects) add_masses(object, &masses);
  });
  return masses;
}

double total_mass(const Scene& scene) {
  double mass = 0;
  for (const PointMass& point : point_masses(scene)) mass += point.mass_kg;
  return mass;
}

}  // namespace nodia
