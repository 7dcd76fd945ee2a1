/// The check drift: what it compares, its keys, its evaluator.
#pragma once

#include <string>

#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/window.hpp"

namespace nodia {

/// Mean position of a soft body, a rigid body or a cable at the end of the last step in (from, to]
/// against that of the first, by time. Value: distance by time [m/s].
struct Drift {
  static constexpr const char* kName = "drift";
  std::string body;
  double from_s = 0, to_s = 0;
  double bound_m_s = 1e-4;  ///< [m/s], > 0
};

template <class V>
void visit_keys(V& v, Drift& c) {
  v.text({"body", "name of a soft body, a rigid body or a cable", "", true}, c.body);
  visit_window(v, c);
  v.real({"bound_m_s", "of the mean position's speed [m/s]", "try 1e-4"}, c.bound_m_s,
         Range::positive());
}

/// Rules between its keys and the scene. @param path  of the check @throws ValueError
void validate(const Drift& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const Drift& check);

}  // namespace nodia
