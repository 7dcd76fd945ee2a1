/// The checks of energy: what they compare, their keys, their evaluator.
#pragma once

#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/window.hpp"

namespace nodia {

/// Keys of both checks.
struct EnergyRise {
  double from_s = 0, to_s = 0;  ///< steps that end in (from, to] [s]
  double tolerance_J = 1e-6;    ///< [J], > 0
};

/// Largest increase of the energy above its previous minimum. The energy is kinetic plus potential
/// energy minus the work of moving frames and of external forces. Value: increase [J].
struct EnergyNonIncreasing : EnergyRise {
  static constexpr const char* kName = "energy_non_increasing";
};

/// Largest increase of the sum of StepRecord::energy_gain_J above its previous minimum: without the
/// work of contacts, too, and without robots. Value: increase [J].
struct EnergyBalance : EnergyRise {
  static constexpr const char* kName = "energy_balance";
};

inline void visit_keys(DocumentVisitor& v, EnergyRise& c) {
  visit_window(v, c);
  v.real({"tolerance_J", "of the largest rise [J]", "try 1e-6"}, c.tolerance_J, Range::positive());
}

/// Checks the keys against each other and the scene. @param path  dotted path @throws ValueError
void validate(const EnergyRise& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const EnergyNonIncreasing& check);
std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const EnergyBalance& check);

}  // namespace nodia
