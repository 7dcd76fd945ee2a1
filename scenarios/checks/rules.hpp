/// Rules that several kinds of checks have. Paths are those of the checks in a file.
#pragma once

#include <optional>
#include <string>

#include "host/scene/rules.hpp"
#include "host/scene/scene.hpp"
#include "host/scene/validate.hpp"
#include "kernels/core/error.hpp"

namespace nodia {

/// A step at least. @throws ValueError
void require_window(const std::string& path, const Scene& scene, double from_s, double to_s);

void require_sensor(const std::string& path, const Scene& scene, const std::string& sensor);

/// @param keys  of which there must be one at least
void require_either(const std::string& path, bool given, const char* keys);

/// Exactly one of the two, and a share of something.
void require_tolerance(const std::string& path, const std::optional<double>& relative_tolerance,
                       const std::optional<double>& tolerance_N, double value_N = 1);

}  // namespace nodia
