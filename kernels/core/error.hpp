/// Failures that a caller can cause. Non-convergence is not one of them: it is a status in a
/// report.
#pragma once

#include <stdexcept>
#include <string>

namespace nodia {

/// Invalid input: a file, a key, a value, an argument. The command line prints one line and ends
/// with exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// External failure with valid input: disk full, device lost. Exit code 1.
class RuntimeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws a parameter error in its one form: `key = value (must be rule; hint)`.
[[noreturn]] void throw_bad_value(const std::string& key, const std::string& value,
                                  const std::string& rule, const std::string& hint);
[[noreturn]] void throw_bad_value(const std::string& key, double value, const std::string& rule,
                                  const std::string& hint);

/// Throws the parameter error unless `good`. A NaN fails every rule written as a comparison.
inline void require(bool good, const std::string& key, double value, const std::string& rule,
                    const std::string& hint) {
  if (!good) throw_bad_value(key, value, rule, hint);
}

}  // namespace nodia
