/// Errors with the place in the file that they are about.
#pragma once

#include <string>

#include <fmt/format.h>

#include "kernels/core/value_error.hpp"
#include "scenarios/format/yaml_path.hpp"

namespace nodia {

/// A broken rule of a scene with the place in the file: `file:line: path = value (must be rule;
/// hint)`. The value is shown as it is written.
[[noreturn]] void refuse(const YamlNode& root, const ValueError& error);

/// `path.key` must be left out, because `other` is given.
[[noreturn]] void refuse_beside(const YamlNode& root, const std::string& path, const char* key,
                                const char* other);

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
