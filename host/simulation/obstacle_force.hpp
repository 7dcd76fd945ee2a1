/// Sums the contact forces of obstacles on bodies.
#pragma once

#include <vector>

#include "kernels/contact/contact.hpp"

namespace nodia {

/// Sum of the forces of contacts with the static world on their sides, world frame [N]. The bits
/// equal those of kernels/step/contact_totals.hpp: contacts are summed per side in their order, and
/// chunk_sum adds the sides.
/// @param lambda   [n_contact] contact frame [N]
/// @param on_side  workspace
Vec3d obstacle_force(const std::vector<Contact<double>>& contacts, const std::vector<Vec3d>& lambda,
                     int n_thread, std::vector<Vec3d>* on_side);

}  // namespace nodia
