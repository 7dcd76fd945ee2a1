/// Finds joints of cables whose rotation is beyond the model.
#pragma once

#include <string>
#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

/// Describes the first joint between links of a cable whose rotation is beyond the model: near 180
/// degrees, where its direction is undefined, or too large within a step for linear strains.
/// @param start, end  State::frames before and after the step
/// @return empty if there is none
std::string find_fold(const Scene& scene, const std::vector<FramePose>& start,
                      const std::vector<FramePose>& end);

}  // namespace nodia
