/// Error of invalid input that names the value.
#pragma once

#include <string>

#include "kernels/core/error.hpp"

namespace nodia {

/// A value that breaks a rule: `path = value (must be rule; hint)`. The path is dotted, with the
/// names in files: `mounts.tool.link`.
class ValueError : public InputError {
 public:
  ValueError(std::string path, const std::string& value, std::string rule, std::string hint);
  /// Error of a whole part. @param path  empty: everything
  ValueError(std::string path, const std::string& message);

  const std::string& path() const { return path_; }
  const std::string& rule() const { return rule_; }
  const std::string& hint() const { return hint_; }
  bool has_value() const { return has_value_; }

 private:
  std::string path_, rule_, hint_;
  bool has_value_;
};

}  // namespace nodia
