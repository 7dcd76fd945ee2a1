/// Errors that name a place in the scenario file.
#pragma once

#include <string>

#include <fmt/format.h>

#include "kernels/core/value_error.hpp"
#include "scenarios/format/yaml_path.hpp"

namespace nodia {

/// Throws the error of a scene with its place in the file: `file:line: path = value (must be rule;
/// hint)`. The message shows the value as the file writes it.
[[noreturn]] void refuse(const YamlNode& root, const ValueError& error);

/// Throws the error that `path.key` must be left out because `other` is given.
[[noreturn]] void refuse_beside(const YamlNode& root, const std::string& path, const char* key,
                                const char* other);

/// Calls make(), which reads a file or generates a part, and adds the key `path` to the message of
/// its InputError.
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
