/// What a solver costs at a given true error, from its rows at several tolerances.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/core/solve_status.hpp"

namespace nodia::studies {

/// One solver at one tolerance: means over the samples of a case, unless said otherwise.
struct AccuracyRow {
  StopRule stop = StopRule::automatic;
  double tolerance = 0;
  double mean_error = 0, median_error = 0, worst_error = 0;  ///< true errors [-]
  double estimate = 0;  ///< the solver's own, of samples that no floor ended; NaN: none [-]
  double iterations = 0;
  double work_units = 0;   ///< products with A, NaN where it does not count them
  double cpu_ms = 0;       ///< of all threads, whole solve
  double delassus_ms = 0;  ///< of it, factorisation and Delassus operator
  int unconverged = 0;     ///< samples
  int floor_ended = 0;     ///< samples that an absolute floor of the stop rule ended
};

struct SolverCurve {
  std::string solver;
  std::vector<AccuracyRow> rows;  ///< by falling tolerance
  std::string ended;              ///< why there are no more, or none at all
  double resolution = 0;          ///< smaller errors are not known from zero
};

/// The least cost at which the mean true error is at most `error`: between a row above it and the
/// next one, which is not, cost is taken to be a power of the error.
/// @param cost  e.g. &AccuracyRow::cpu_ms
/// @return      none where no row has that error, where it is below the resolution, or where the
/// cost is not known
std::optional<double> cost_at(const SolverCurve& curve, double error, double AccuracyRow::*cost);

}  // namespace nodia::studies
