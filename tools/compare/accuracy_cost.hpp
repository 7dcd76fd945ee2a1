/// Cost of a solver at a given true error, from measurements at several tolerances.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/core/solve_status.hpp"

namespace nodia::studies {

/// Measurement of one solver at one tolerance: means over the samples of a case, if not stated
/// otherwise.
struct AccuracyRow {
  StopRule stop = StopRule::automatic;
  double tolerance = 0;
  double mean_error = 0, median_error = 0, worst_error = 0;  ///< true errors [-]
  double estimate = 0;  ///< error estimate of the solver [-]; without samples counted in
                        ///< floor_ended; NaN: none
  double iterations = 0;
  double work_units = 0;   ///< products with A; NaN if the solver does not count them
  double cpu_ms = 0;       ///< CPU time of all threads for the whole solve
  double delassus_ms = 0;  ///< part of cpu_ms for the factorisation and the Delassus operator
  int unconverged = 0;     ///< number of samples that did not converge
  int floor_ended = 0;     ///< number of samples that stopped at an absolute tolerance
};

struct SolverCurve {
  std::string solver;
  std::vector<AccuracyRow> rows;  ///< by decreasing tolerance
  std::string ended;              ///< reason why there are no more rows, or no rows
  double resolution = 0;          ///< smaller true errors are not distinguishable from zero
};

/// Smallest cost at which the mean true error is at most `error`. Between a row with a larger and
/// the next row with a smaller error the cost is interpolated as a power of the error.
/// @param cost  e.g. &AccuracyRow::cpu_ms
/// @return      absent if no row has an error this small, if `error` is below the resolution, or if
///              the cost is unknown
std::optional<double> cost_at(const SolverCurve& curve, double error, double AccuracyRow::*cost);

}  // namespace nodia::studies
