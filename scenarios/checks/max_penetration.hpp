/// The check max_penetration: what it compares, its keys, its evaluator.
#pragma once

#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

/// Largest penetration of a contact at the end of a step, over all steps. Value: depth [m].
struct MaxPenetration {
  static constexpr const char* kName = "max_penetration";
  double bound_m = 1e-5;  ///< [m], > 0
};

inline void visit_keys(DocumentVisitor& v, MaxPenetration& c) {
  v.real({"bound_m", "[m]", "try 1e-5"}, c.bound_m, Range::positive());
}

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const MaxPenetration& check);

}  // namespace nodia
