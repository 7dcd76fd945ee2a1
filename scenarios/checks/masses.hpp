/// What bodies weigh.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "host/simulation/simulation.hpp"

namespace nodia {

/// Length [m] and mass [kg] of the links of a cable.
std::vector<std::pair<double, double>> link_masses(const CableDescription& cable);

/// Whether a body's momentum is its rows' masses times velocities: of all but robots.
constexpr bool is_counted(ObjectKind kind) {
  return kind != ObjectKind::robot && kind != ObjectKind::obstacle;
}
inline bool is_counted(const ObjectId& id) {
  return is_counted(id.kind);
}

/// Names of the bodies that are counted.
std::vector<std::string> counted_names(const Scene& scene);

/// A node or a frame.
struct PointMass {
  double mass_kg = 0, drag_N_s_m = 0;  ///< the drag of Rayleigh damping included
  Vec3d velocity_m_s{};                ///< at t = 0
  Vec3d force_N{};                     ///< on it all the time
};

/// Of all bodies that are counted, in the order of nodes and frames.
std::vector<PointMass> point_masses(const Scene& scene);

/// Of the bodies that are counted [kg].
double total_mass(const Scene& scene);

}  // namespace nodia
