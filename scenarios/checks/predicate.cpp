#include "scenarios/checks/predicate.hpp"

namespace nodia {

bool compares_a_moment(const PredicateKind& kind) {
  return std::visit(
      [](const auto& k) {
        return requires {
          k.check.at_s;
        };
      },
      kind);
}

CheckKind at_time(const PredicateKind& kind, double from_s, double to_s) {
  return std::visit(
      [&](const auto& k) {
        auto check = k.check;
        if constexpr (requires { check.at_s; }) check.at_s = to_s;
        if constexpr (requires { check.from_s; }) {
          check.from_s = from_s;
          check.to_s = to_s;
        }
        return CheckKind(check);
      },
      kind);
}

void validate(const PredicateKind& kind, const std::string& path, const Scene& scene,
              double window_s) {
  const auto hold = [&](const auto& check) {
    if constexpr (requires { validate(check, path, scene); }) validate(check, path, scene);
  };
  std::visit(hold, at_time(kind, 0, window_s));
}

}  // namespace nodia
