/// The rigid bodies and the cable links of a scene.
#pragma once

#include <string>

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

  /// Describes the first joint between links of a cable whose rotation is beyond the model: near
  /// 180 degrees, where its direction is undefined, or too large within a step for linear strains.
  /// @param start, end  State::frames before and after the step
  /// @return empty if there is none
  std::string find_fold(const std::vector<FramePose>& start,
                        const std::vector<FramePose>& end) const;

 private:
  std::vector<std::vector<RodLink>> links_;
};

}  // namespace nodia
