/// Velocities and contact forces of the last step, with which the solver starts the next one.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "host/problem/obstacle_contacts.hpp"

namespace nodia {

struct InitialGuess {
  std::vector<Vec3d> v_hat;  ///< [n_row] representative velocities [m/s]; empty: those of the state
  /// Key and contact force of each contact, keys ascending; contact frame [N].
  std::vector<std::pair<std::uint64_t, Vec3d>> force_by_key;
  /// Forces of soft-soft pairs, if the host finished the step.
  std::vector<PairForce> pair_forces;
  /// External forces on robots (Robots::limits_hold()). Empty if no drive was at its effort limit.
  std::vector<double> robot_force;
  bool solver_has_forces = false;  ///< the solver made the last contacts and stores their forces

  void clear() { *this = {}; }
  /// Clears the forces in this object, but not the forces that the solver stores.
  void clear_forces();
  /// Restores the order of force_by_key after forces were appended.
  void sort_forces();
  /// Force of the contact with this key in the last step; zero without such a contact [N].
  Vec3d force(std::uint64_t key) const;
};

}  // namespace nodia
