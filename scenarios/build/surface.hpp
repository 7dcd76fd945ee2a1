/// Keys of every object with a surface.
#pragma once

#include "kernels/core/key.hpp"

namespace nodia {

template <class V>
void visit_friction(V& v, double& friction) {
  v.real(
      {"friction", "Coulomb coefficient; a pair takes the larger of both surfaces' [-]", "try 0.3"},
      friction, Range::not_negative());
}

}  // namespace nodia
