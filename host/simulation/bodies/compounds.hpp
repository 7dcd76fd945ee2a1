/// The compounds of a scene, one frame each.
#pragma once

#include "host/simulation/bodies/frame_bodies.hpp"

namespace nodia {

class Compounds final : public FrameBodies {
 public:
  /// @param scene   kept by reference
  /// @param layout  contains all earlier bodies; the compounds are appended
  Compounds(const Scene& scene, BodyLayout* layout) : FrameBodies(scene, *layout) {
    for (const CompoundDescription& compound : scene.compounds) add_rigid(compound, layout);
  }

  void add_surfaces(std::int32_t first_frame, SurfaceList* surfaces) const override {
    for (std::int32_t k = 0; k < n_frame(); ++k)
      add_shapes(scene_.compounds[static_cast<std::size_t>(k)], {ObjectKind::compound, k, 0},
                 first_frame + k, surfaces);
  }
};

}  // namespace nodia
