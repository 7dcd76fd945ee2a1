/// Sensors by name.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "host/simulation/simulation.hpp"

namespace nodia {

/// Index of a sensor in StepRecord::sensors.
/// @param check  name of the check, for the message
/// @throws InputError if the scene has no such sensor
std::size_t sensor_of(const std::string& check, const Scene& scene, const std::string& sensor);

/// Sensors of the mounts and attachments that a robot or a path holds: external forces of the
/// bodies.
std::vector<std::size_t> external_supports(const Scene& scene);

/// Force of a sensor [N]; NaN if the record of the step has no sensors.
Vec3d force_of(const StepView& view, std::size_t sensor);

}  // namespace nodia
