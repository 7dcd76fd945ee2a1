#include "tools/compare/accuracy_cost.hpp"

#include <cmath>

namespace nodia::studies {

std::optional<double> cost_at(const SolverCurve& curve, double error, double AccuracyRow::*cost) {
  std::optional<double> least;
  if (error < curve.resolution) return least;
  for (std::size_t k = 0; k < curve.rows.size(); ++k) {
    const AccuracyRow& row = curve.rows[k];
    double c = row.*cost;
    if (!(row.mean_error <= error) || !std::isfinite(c)) continue;
    if (k > 0 && row.mean_error > 0 && c > 0) {
      const AccuracyRow& above = curve.rows[k - 1];
      const double c_above = above.*cost;
      if (above.mean_error > error && std::isfinite(above.mean_error) && c_above > 0) {
        const double share =
            std::log(above.mean_error / error) / std::log(above.mean_error / row.mean_error);
        c = c_above * std::pow(c / c_above, share);
      }
    }
    if (!least || c < *least) least = c;
  }
  return least;
}

}  // namespace nodia::studies
