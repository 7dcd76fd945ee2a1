#include "scenarios/checks/masses.hpp"

namespace nodia {

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

std::vector<std::pair<double, double>> link_masses(const CableDescription& cable) {
  std::vector<std::pair<double, double>> links;
  const RodSection section = RodSection::circle(cable.radius_m);
  for (const RodLink& link : polyline_rod(cable.points_m, {}, cable.links))
    links.emplace_back(link.length_m, link_mass(section, cable.material, link.length_m));
  return links;
}

double total_mass(const Scene& scene) {
  double mass = 0;
  for (const SoftBodyDescription& body : scene.soft_bodies)
    for (const double node : node_masses(body)) mass += node;
  for (const RigidBodyDescription& body : scene.rigid_bodies) mass += body.mass_kg;
  for (const CableDescription& cable : scene.cables)
    for (const auto& link : link_masses(cable)) mass += link.second;
  return mass;
}

}  // namespace nodia
