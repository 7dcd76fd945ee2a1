/// The check all_steps_converged: what it compares, its keys, its evaluator.
#pragma once

#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

/// Number of steps with a status other than `converged`. Bound: 0.
struct AllStepsConverged {
  static constexpr const char* kName = "all_steps_converged";
};

inline void visit_keys(DocumentVisitor&, AllStepsConverged&) {}

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const AllStepsConverged& check);

}  // namespace nodia
