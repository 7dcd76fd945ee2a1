/// Rigid bodies of several parts: a hammer, a table, a socket.
#pragma once

#include <string>
#include <vector>

#include "host/scene/rigid_body.hpp"

namespace nodia {

struct CompoundPart {
  std::string name;
  PlacedShape placed;           ///< bounded; in the compound's frame
  double density_kg_m3 = 1000;  ///< > 0
};

/// Parts do not move against each other and may overlap, where both count.
struct CompoundDescription : RigidDescription {
  std::vector<CompoundPart> parts;  ///< at least one
};

std::vector<PlacedShape> shapes_of(const CompoundDescription& compound);

/// Shortest edge of the box around all parts' own boxes, in the compound's axes [m].
double smallest_extent(const CompoundDescription& compound);

/// Sets mass and inertia by the parts, and moves the frame's origin to the centre of mass; the
/// parts stay where they are in the world.
/// @return the centre of mass in the frame that the parts were given in [m]
/// @throws InputError for a part without a volume of its own (distance grid)
Vec3d set_inertia(CompoundDescription* compound);

void validate(const CompoundDescription& compound);

}  // namespace nodia
