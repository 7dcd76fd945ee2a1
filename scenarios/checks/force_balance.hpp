/// The check force_balance: what it compares, its keys, its evaluator.
#pragma once

#include <optional>

#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/tolerance.hpp"
#include "scenarios/checks/window.hpp"

namespace nodia {

/// Newton's second law for all soft bodies, rigid bodies and cables together, over the steps in
/// (from, to]. The change of momentum equals the impulse of gravity, force_N, external forces,
/// drag, Rayleigh damping, contacts with obstacles and robots, and attachments. Value: |sum of
/// forces - change/time| [N].
struct ForceBalance {
  static constexpr const char* kName = "force_balance";
  double from_s = 0, to_s = 0;               ///< steps that end in (from, to] [s]
  std::optional<double> relative_tolerance;  ///< of weight and force_N [-], > 0; exactly one is set
  std::optional<double> tolerance_N;         ///< [N], > 0
};

inline void visit_keys(DocumentVisitor& v, ForceBalance& c) {
  visit_window(v, c);
  visit_tolerance(v, c, "of what is missing by weight and applied forces [-]");
}

/// Checks the keys against each other and the scene. @param path  dotted path @throws ValueError
void validate(const ForceBalance& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const ForceBalance& check);

}  // namespace nodia
