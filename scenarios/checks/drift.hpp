/// The check drift: what it compares, its keys, its evaluator.
#pragma once

#include <string>

#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/window.hpp"

namespace nodia {

/// Mean speed of a body: distance between its mean positions at the ends of the first and the last
/// step in (from, to], divided by the time between them. The body is a soft body, a rigid body or a
/// cable. Value: speed [m/s].
struct Drift {
  static constexpr const char* kName = "drift";
  std::string body;
  double from_s = 0, to_s = 0;  ///< steps that end in (from, to] [s]
  double bound_m_s = 1e-4;      ///< [m/s], > 0
};

inline void visit_keys(DocumentVisitor& v, Drift& c) {
  v.text({"body", "name of a soft body, a rigid body or a cable", "", true}, c.body);
  visit_window(v, c);
  v.real({"bound_m_s", "of the mean position's speed [m/s]", "try 1e-4"}, c.bound_m_s,
         Range::positive());
}

/// Checks the keys against each other and the scene. @param path  dotted path @throws ValueError
void validate(const Drift& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const Drift& check);

}  // namespace nodia
