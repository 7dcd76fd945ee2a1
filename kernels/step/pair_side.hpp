/// Velocities and forces of the sides of pairs, with the bits of the host's ContactPoints.
#pragma once

#include "kernels/step/pair_contacts.hpp"

namespace nodia {

/// J_e of a point for node k of its side.
NODIA_HD Mat3d part_jacobian(const PairSide& side, int k) {
  return side.weight[k] * Mat3d::identity();
}

/// Velocity of a side [m/s]. @param velocity  velocity(node)
template <class Velocity>
NODIA_HD Vec3d side_velocity(const PairSide& side, const Velocity& velocity) {
  if (!side.is_point()) return velocity(side.node[0]);
  Vec3d sum{};
  for (int k = 0; k < side.n; ++k) sum += part_jacobian(side, k) * velocity(side.node[k]);
  return sum;
}

/// Force on node k of a side, given the force on the side [N].
NODIA_HD Vec3d force_on_node(const PairSide& side, int k, Vec3d force) {
  return side.is_point() ? transpose_times(part_jacobian(side, k), force) : force;
}

/// Force of a pair on the node at position `place` among those of side 0, then side 1 [N].
NODIA_HD Vec3d force_on_node(const PairContact& pair, int place) {
  const Vec3d force = transpose_times(pair.contact.R, pair.lambda);
  const PairSide &i = pair.side[0], &j = pair.side[1];
  return place < i.n ? force_on_node(i, place, force) : force_on_node(j, place - i.n, -force);
}

/// Velocity of side 0 relative to side 1 [m/s]. @param velocity  velocity(node)
template <class Velocity>
NODIA_HD Vec3d relative_velocity(const PairContact& pair, const Velocity& velocity) {
  return side_velocity(pair.side[0], velocity) - side_velocity(pair.side[1], velocity);
}

}  // namespace nodia
