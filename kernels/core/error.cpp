#include "kernels/core/error.hpp"

#include <fmt/format.h>

#include <utility>

#include "kernels/core/value_error.hpp"

namespace nodia {

namespace {

std::string sentence(const std::string& path, const std::string& value, const std::string& rule,
                     const std::string& hint) {
  return hint.empty() ? fmt::format("{} = {} (must be {})", path, value, rule)
                      : fmt::format("{} = {} (must be {}; {})", path, value, rule, hint);
}

}  // namespace

ValueError::ValueError(std::string path, const std::string& value, std::string rule,
                       std::string hint)
    : InputError(sentence(path, value, rule, hint)),
      path_(std::move(path)),
      rule_(std::move(rule)),
      hint_(std::move(hint)),
      has_value_(true) {}

ValueError::ValueError(std::string path, const std::string& message)
    : InputError(message), path_(std::move(path)), has_value_(false) {}

void throw_bad_value(const std::string& key, const std::string& value, const std::string& rule,
                     const std::string& hint) {
  throw ValueError(key, value, rule, hint);
}

void throw_bad_value(const std::string& key, double value, const std::string& rule,
                     const std::string& hint) {
  throw_bad_value(key, fmt::format("{}", value), rule, hint);
}

}  // namespace nodia
