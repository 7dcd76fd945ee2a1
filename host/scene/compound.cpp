#include "host/scene/compound.hpp"

#include <algorithm>
#include <cmath>

#include "fem/mesh/solid_integrals.hpp"
#include "host/scene/validate.hpp"
#include "kernels/core/error.hpp"
#include "kernels/elements/rigid_body.hpp"

namespace nodia {

std::vector<PlacedShape> shapes_of(const CompoundDescription& compound) {
  std::vector<PlacedShape> shapes;
  for (const CompoundPart& part : compound.parts) shapes.push_back(part.placed);
  return shapes;
}

Vec3d set_inertia(CompoundDescription* compound) {
  double mass = 0;
  Vec3d moment{};
  const auto mass_of = [](const CompoundPart& part) {
    return part.density_kg_m3 * solid_volume(part.placed.shape);
  };
  for (const CompoundPart& part : compound->parts) {
    mass += mass_of(part);
    moment += mass_of(part) * part.placed.pose.position;
  }
  const Vec3d centre = (1 / mass) * moment;
  Mat3d inertia{};
  for (CompoundPart& part : compound->parts) {
    Pose& pose = part.placed.pose;
    pose.position -= centre;
    const Mat3d arm = skew(pose.position);
    inertia = inertia +
              world_inertia(pose.rotation, solid_inertia(part.placed.shape, mass_of(part))) -
              mass_of(part) * (arm * arm);
  }
  compound->mass_kg = mass;
  compound->inertia_kg_m2 = inertia;
  compound->pose.position = compound->pose.to_world(centre);
  return centre;
}

void validate(const CompoundDescription& compound) {
  const std::string path = "compounds." + compound.name;
  if (compound.parts.empty())
    throw_bad_value(path + ".parts", "{}", "one part or more", "give every part a name");
  for (const CompoundPart& part : compound.parts) {
    const std::string own = path + ".parts." + part.name;
    validate_solid(own, part.placed);
    require(part.density_kg_m3 > 0, own + ".density_kg_m3", part.density_kg_m3, "> 0",
            "water has 1000");
  }
  validate_rigid(path, compound);
}

}  // namespace nodia
