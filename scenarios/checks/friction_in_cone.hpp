/// The check friction_in_cone: what it compares, its keys, its evaluator.
#pragma once

#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

/// Largest excess of a contact force over its friction cone, (|lambda_t| - mu lambda_n)/(mu
/// lambda_n
/// + 1e-9 N), and of an adhesive force, -lambda_n/(|lambda_n| + 1e-9 N). With anisotropic friction
/// the section of the cone is an ellipse. Value: excess [-]. Without contacts nothing is compared.
struct FrictionInCone {
  static constexpr const char* kName = "friction_in_cone";
  double tolerance = 1e-9;  ///< [-], > 0
};

inline void visit_keys(DocumentVisitor& v, FrictionInCone& c) {
  v.real({"tolerance", "of the excess relative to the cone [-]", "try 1e-9"}, c.tolerance,
         Range::positive());
}

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const FrictionInCone& check);

}  // namespace nodia
