#include "kernels/core/error.hpp"

#include <fmt/format.h>

namespace nodia {

void throw_bad_value(const std::string& key, const std::string& value, const std::string& rule,
                     const std::string& hint) {
  throw InputError(hint.empty() ? fmt::format("{} = {} (must be {})", key, value, rule)
                                : fmt::format("{} = {} (must be {}; {})", key, value, rule, hint));
}

void throw_bad_value(const std::string& key, double value, const std::string& rule,
                     const std::string& hint) {
  throw_bad_value(key, fmt::format("{}", value), rule, hint);
}

}  // namespace nodia
