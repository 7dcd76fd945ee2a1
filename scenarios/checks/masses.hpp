/// What bodies weigh.
#pragma once

#include <utility>
#include <vector>

#include "host/simulation/simulation.hpp"

namespace nodia {

/// Masses of a body's nodes [kg].
std::vector<double> node_masses(const SoftBodyDescription& body);

/// Length [m] and mass [kg] of the links of a cable.
std::vector<std::pair<double, double>> link_masses(const CableDescription& cable);

/// Of soft bodies, rigid bodies and cables [kg].
double total_mass(const Scene& scene);

/// Whether a surface belongs to what total_mass counts.
inline bool is_counted(const ObjectId& id) {
  return id.kind == ObjectKind::soft_body || id.kind == ObjectKind::rigid_body ||
         id.kind == ObjectKind::cable;
}

}  // namespace nodia
