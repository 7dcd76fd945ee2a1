/// Errors of parts that other parts name, and of parts made from files.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/core/error.hpp"
#include "scenarios/format/yaml_path.hpp"

namespace nodia {

template <class T>
std::vector<std::string> names_of(const std::vector<T>& members) {
  std::vector<std::string> names;
  for (const T& member : members) names.push_back(member.name);
  return names;
}

/// Names of the objects of several lists.
template <class... Lists>
std::vector<std::string> names_in(const Lists&... lists) {
  std::vector<std::string> names;
  (
      [&] {
        for (const auto& member : lists) names.push_back(member.name);
      }(),
      ...);
  return names;
}

/// Refuses a reference to something that is not there.
void require_known(const YamlNode& root, const std::string& path, const std::string& name,
                   const std::vector<std::string>& known, const char* what);

/// Runs something that reads or makes a part; its error is told with the key that asked for it.
template <class F>
auto named_errors(const YamlNode& root, const std::string& path, const F& make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("{}: {}: {}", location(nearest_node(root, path)), path, error.what()));
  }
}

}  // namespace nodia
