/// What contacts push bodies with.
#pragma once

#include <vector>

#include "kernels/contact/contact.hpp"

namespace nodia {

/// The sum of the forces of contacts with the static world on their sides, world frame [N]; with
/// the bits of kernels/step/contact_totals.hpp: of every side the sum over its contacts in
/// their order, and of these chunk_sum.
/// @param lambda   per contact, contact frame [N]
/// @param on_side  scratch
Vec3d obstacle_force(const std::vector<Contact<double>>& contacts, const std::vector<Vec3d>& lambda,
                     int n_thread, std::vector<Vec3d>* on_side);

}  // namespace nodia
