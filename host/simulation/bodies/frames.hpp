/// The rigid bodies and the cable links of a scene.
#pragma once

#include "fem/frames/rod.hpp"
#include "host/simulation/bodies/frame_bodies.hpp"

namespace nodia {

class Frames final : public FrameBodies {
 public:
  /// @param scene   kept by reference
  /// @param layout  contains the soft bodies; the frames are appended; kept by reference
  Frames(const Scene& scene, BodyLayout* layout);

  /// Rest lengths and poses of a cable's links at t = 0.
  const std::vector<RodLink>& links(int cable) const {
    return links_[static_cast<std::size_t>(cable)];
  }
  void add_surfaces(std::int32_t first_frame, SurfaceList* surfaces) const override;

 private:
  std::vector<std::vector<RodLink>> links_;
};

}  // namespace nodia
