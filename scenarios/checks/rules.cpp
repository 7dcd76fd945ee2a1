#include "scenarios/checks/rules.hpp"

#include <fmt/format.h>

#include "kernels/core/value_error.hpp"

namespace nodia {

void require_window(const std::string& path, const Scene& scene, double from_s, double to_s) {
  require(to_s > from_s, path + ".to_s", to_s, fmt::format("> from_s = {}", from_s), "");
  require(to_s - from_s >= scene.time.step_s, path + ".to_s", to_s,
          fmt::format("at least a step ({} s) behind from_s", scene.time.step_s), "");
}

void require_sensor(const std::string& path, const Scene& scene, const std::string& sensor) {
  require_known(path + ".sensor", sensor, sensor_names(scene),
                "the name of a mount, an attachment or a force sensor");
}

void require_either(const std::string& path, bool given, const char* keys) {
  if (!given) throw ValueError(path, fmt::format("{} (must have {})", path, keys));
}

void require_tolerance(const std::string& path, const std::optional<double>& relative_tolerance,
                       const std::optional<double>& tolerance_N, double value_N) {
  if (relative_tolerance.has_value() == tolerance_N.has_value())
    throw ValueError(
        path, fmt::format("{} (must have relative_tolerance or tolerance_N, one of them)", path));
  if (relative_tolerance && value_N == 0)
    throw_bad_value(path + ".relative_tolerance", *relative_tolerance,
                    "used with value_N other than zero", "give tolerance_N");
}

}  // namespace nodia
