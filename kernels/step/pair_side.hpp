/// What sides of pairs make of velocities and forces, with the bits of the host's ContactPoints.
#pragma once

#include "kernels/step/pair_contacts.hpp"

namespace nodia {

/// J_e of a point, of a node's place among those of its side.
NODIA_HD Mat3d part_jacobian(const PairSide& side, int k) {
  return side.weight[k] * Mat3d::identity();
}

/// [m/s]. @param velocity  velocity(node)
template <class Velocity>
NODIA_HD Vec3d side_velocity(const PairSide& side, const Velocity& velocity) {
  if (!side.is_point()) return velocity(side.node[0]);
  Vec3d sum{};
  for (int k = 0; k < side.n; ++k) sum += part_jacobian(side, k) * velocity(side.node[k]);
  return sum;
}

/// What a force on a side is on a node of it [N].
NODIA_HD Vec3d force_on_node(const PairSide& side, int k, Vec3d force) {
  return side.is_point() ? transpose_times(part_jacobian(side, k), force) : force;
}

/// What the force of a pair is on the node at a place among those of its side 0, then side 1 [N].
NODIA_HD Vec3d force_on_node(const PairContact& pair, int place) {
  const Vec3d force = transpose_times(pair.contact.R, pair.lambda);
  const PairSide &i = pair.side[0], &j = pair.side[1];
  return place < i.n ? force_on_node(i, place, force) : force_on_node(j, place - i.n, -force);
}

/// Of side 0 less that of side 1 [m/s]. @param velocity  velocity(node)
template <class Velocity>
NODIA_HD Vec3d relative_velocity(const PairContact& pair, const Velocity& velocity) {
  return side_velocity(pair.side[0], velocity) - side_velocity(pair.side[1], velocity);
}

}  // namespace nodia
