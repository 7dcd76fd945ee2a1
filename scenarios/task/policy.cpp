#include "scenarios/task/policy.hpp"

namespace nodia {

Policy parse_policy(const std::string& words) {
  if (words == "script") return {};
  if (words.ends_with(".py")) return {PolicyKind::python_class, words, ""};
  const std::size_t end = words.rfind(".py:");
  if (end == std::string::npos) return {PolicyKind::log, words, ""};
  return {PolicyKind::python_class, words.substr(0, end + 3), words.substr(end + 4)};
}

}  // namespace nodia
