/// Rigid bodies with several parts: a hammer, a table, a socket.
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

/// The parts do not move relative to each other. They may overlap; the mass of an overlap counts
/// twice.
struct CompoundDescription : RigidDescription {
  std::vector<CompoundPart> parts;  ///< at least one
};

std::vector<PlacedShape> shapes_of(const CompoundDescription& compound);

/// Computes mass and inertia from the parts, and moves the frame's origin to the centre of mass;
/// the parts stay at their place in the world.
/// @return centre of mass in the original frame of the parts [m]
/// @throws InputError for a part without a volume of its own (distance grid)
Vec3d set_inertia(CompoundDescription* compound);

void validate(const CompoundDescription& compound);

}  // namespace nodia
