/// Rules that several kinds of checks share. `path` is the dotted path of the check. All functions
/// throw ValueError.
#pragma once

#include <optional>
#include <string>

#include "host/scene/rules.hpp"
#include "host/scene/scene.hpp"
#include "host/scene/validate.hpp"
#include "kernels/core/error.hpp"

namespace nodia {

/// The window must not be shorter than a time step.
void require_window(const std::string& path, const Scene& scene, double from_s, double to_s);

void require_sensor(const std::string& path, const Scene& scene, const std::string& sensor);

/// At least one of several keys must be given.
/// @param keys  names of the keys, for the message
void require_either(const std::string& path, bool given, const char* keys);

/// Exactly one tolerance must be given. A relative one needs a value other than 0.
void require_tolerance(const std::string& path, const std::optional<double>& relative_tolerance,
                       const std::optional<double>& tolerance_N, double value_N = 1);

}  // namespace nodia
