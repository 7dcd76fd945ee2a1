/// What several steps of every environment did, as columns over environments.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/simulation/simulation.hpp"

namespace nodia::python {

/// Statuses and errors are the worst of the steps (a NaN is worse than any number), iterations and
/// times their sum, all else of the last one. Of an environment that took none of them: its last
/// step's.
struct StepReports {
  std::vector<std::string> status, reason, solver;
  std::vector<std::int64_t> steps, iterations, n_contact, n_stick, n_slip;
  std::vector<double> time_s, relative_residual, natural_map_error, error_estimate, certificate_J,
      max_penetration_m, kinetic_energy_J, potential_energy_J, solver_ms;
  struct Notice {
    int env = 0;
    std::string text;
  };
  std::vector<Notice> overlaps;  ///< that were to be told

  explicit StepReports(int n_env);
  /// A step of an environment.
  void add(const StepRecord& record);
  /// An environment that took no step, whose last one was this.
  void keep(const StepRecord& record);

 private:
  std::vector<SolveStatus> worst_;
};

}  // namespace nodia::python
