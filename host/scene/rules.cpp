#include "host/scene/rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/error.hpp"
#include "kernels/core/input_file.hpp"
#include "kernels/core/nearest_name.hpp"
#include "kernels/core/plain_name.hpp"

namespace nodia {

std::vector<std::string> link_names(const RobotDescription& robot) {
  return names_of(robot.links);
}

void require_plain_name(const std::string& path, const std::string& name) {
  if (!is_plain_name(name)) throw_bad_value(path, printable(name), kPlainName, "");
}

void require_known(const std::string& path, const std::string& name,
                   const std::vector<std::string>& known, const char* what) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw_bad_value(path, name, what, known_names_hint(name, known));
}

void require_finite(const std::string& path, Vec3d v, const std::string& hint) {
  if (!is_finite(v))
    throw_bad_value(path, fmt::format("[{}, {}, {}]", v.x, v.y, v.z), "finite", hint);
}

}  // namespace nodia
