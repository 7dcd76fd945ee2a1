/// Reports of several steps of every environment, as columns over environments.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/simulation/simulation.hpp"

namespace nodia::python {

/// Statuses, errors and the penetration are the worst of the steps (a NaN is worse than any
/// number). Iterations and solver_ms are sums over the steps. All other values are those of the
/// last step. An environment that took none of the steps has the report of its last step.
struct StepReports {
  std::vector<std::string> status, reason, solver;
  std::vector<std::int64_t> steps, iterations, n_contact, n_stick, n_slip;
  std::vector<double> time_s, relative_residual, natural_map_error, error_estimate, certificate_J,
      max_penetration_m, kinetic_energy_J, potential_energy_J, solver_ms;
  struct Notice {
    int env = 0;
    std::string text;
  };
  std::vector<Notice> overlaps;  ///< overlaps that the steps reported

  explicit StepReports(int n_env);
  /// Adds a step of an environment.
  void add(const StepRecord& record);
  /// Adds the last step of an environment that took none of the steps.
  void keep(const StepRecord& record);

 private:
  std::vector<SolveStatus> worst_;
};

}  // namespace nodia::python
