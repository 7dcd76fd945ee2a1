/// Cable of a scene: a Cosserat rod with a circular section.
#pragma once

#include <string>
#include <vector>

#include "fem/frames/rod.hpp"
#include "kernels/contact/rod_contact.hpp"

namespace nodia {

struct CableDescription {
  std::string name;
  std::vector<Vec3d> points_m;  ///< polyline from rear to front at t = 0 and at rest, >= 2 points
  int links = 100;              ///< >= 1
  double radius_m = 2e-3;       ///< > 0
  RodMaterial material;
  double friction = 0.3;                      ///< [-], >= 0
  RodContact contact = RodContact::segments;  ///< points at which contact forces act
  bool self_contact = false;                  ///< needs contact = segments
};

/// Length of the polyline [m].
inline double length_of(const CableDescription& cable) {
  double length = 0;
  for (std::size_t k = 1; k < cable.points_m.size(); ++k)
    length += norm(cable.points_m[k] - cable.points_m[k - 1]);
  return length;
}

}  // namespace nodia
