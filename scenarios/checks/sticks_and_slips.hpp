/// The check sticks_and_slips: what it compares, its keys, its evaluator.
#pragma once

#include "host/scene/limits.hpp"
#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/window.hpp"

namespace nodia {

/// In at least one step, at least `nodes` contacts stick and at least `nodes` contacts slip. Value:
/// maximum over the steps of the smaller of both numbers.
struct SticksAndSlips {
  static constexpr const char* kName = "sticks_and_slips";
  double from_s = 0, to_s = 0;  ///< steps that end in (from, to] [s]
  int nodes = 1;                ///< >= 1
};

inline void visit_keys(DocumentVisitor& v, SticksAndSlips& c) {
  visit_window(v, c);
  v.integer({"nodes", "so many stick and so many slip at one time", "try 1"}, c.nodes, 1,
            kMaxMeshNodes);
}

/// Checks the keys against each other and the scene. @param path  dotted path @throws ValueError
void validate(const SticksAndSlips& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const SticksAndSlips& check);

}  // namespace nodia
