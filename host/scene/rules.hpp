/// Checks for the rules of a scene. Paths are those of scenario files: `mounts.tool.link`.
#pragma once

#include <string>
#include <vector>

#include "fem/robot/robot_description.hpp"
#include "kernels/core/vec3.hpp"

namespace nodia {

template <class Object>
std::vector<std::string> names_of(const std::vector<Object>& objects) {
  std::vector<std::string> names;
  for (const Object& object : objects) names.push_back(object.name);
  return names;
}

/// Names of the objects of several lists.
template <class... Lists>
std::vector<std::string> names_in(const Lists&... lists) {
  std::vector<std::string> names;
  const auto add = [&](const auto& objects) {
    for (const auto& object : objects) names.push_back(object.name);
  };
  (add(lists), ...);
  return names;
}

std::vector<std::string> link_names(const RobotDescription& robot);

/// Rejects a name that is_plain_name() does not accept. @throws ValueError
void require_plain_name(const std::string& path, const std::string& name);

/// Rejects a reference to an unknown name. @throws ValueError
void require_known(const std::string& path, const std::string& name,
                   const std::vector<std::string>& known, const char* what);

void require_finite(const std::string& path, Vec3d v, const std::string& hint);

}  // namespace nodia
