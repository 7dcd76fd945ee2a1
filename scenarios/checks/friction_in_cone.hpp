/// The check friction_in_cone: what it compares, its keys, its evaluator.
#pragma once

#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

/// Excess of any contact force over its friction cone, (|lambda_t| - mu lambda_n)/(mu lambda_n +
/// floor), floor 1e-9 N [-]; an ellipse where friction is anisotropic; a pulling force counts with
/// its size. Without any contact nothing is compared.
struct FrictionInCone {
  static constexpr const char* kName = "friction_in_cone";
  double tolerance = 1e-9;  ///< [-], > 0
};

template <class V>
void visit_keys(V& v, FrictionInCone& c) {
  v.real({"tolerance", "of the excess relative to the cone [-]", "try 1e-9"}, c.tolerance,
         Range::positive());
}

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const FrictionInCone& check);

}  // namespace nodia
