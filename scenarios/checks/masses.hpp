/// Masses of bodies.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "host/simulation/simulation.hpp"

namespace nodia {

/// Length [m] and mass [kg] of the links of a cable.
std::vector<std::pair<double, double>> link_masses(const CableDescription& cable);

/// True if the momentum of an object is the sum of its rows' masses times velocities. False for
/// robots, whose rows are joints, and for obstacles, which have no rows.
constexpr bool is_counted(ObjectKind kind) {
  return kind != ObjectKind::robot && kind != ObjectKind::obstacle;
}
inline bool is_counted(const ObjectId& id) {
  return is_counted(id.kind);
}

/// Names of the bodies with is_counted().
std::vector<std::string> counted_names(const Scene& scene);

/// A node or a frame.
struct PointMass {
  double mass_kg = 0, drag_N_s_m = 0;  ///< drag includes the mass term of Rayleigh damping
  Vec3d velocity_m_s{};                ///< at t = 0
  Vec3d force_N{};                     ///< constant force
};

/// Nodes and frames of all bodies with is_counted(), in the order of the state.
std::vector<PointMass> point_masses(const Scene& scene);

/// Total mass of all bodies with is_counted() [kg].
double total_mass(const Scene& scene);

}  // namespace nodia
