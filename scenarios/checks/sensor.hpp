/// Sensors by their names.
#pragma once

#include <cstddef>
#include <string>

#include "host/simulation/simulation.hpp"

namespace nodia {

/// Index in StepRecord::sensors. @throws InputError where there is none
std::size_t sensor_of(const std::string& check, const Scene& scene, const std::string& sensor);

/// Force of a sensor [N]; NaN where the record has none.
Vec3d force_of(const StepView& view, std::size_t sensor);

}  // namespace nodia
