/// Error measures of a solution, computed from its sums; every solver reports them.
#pragma once

#include "kernels/contact/solution_sums.hpp"
#include "kernels/core/time_step.hpp"

namespace nodia {

/// Error measures that depend only on (v, lambda). A measure is NaN if its scale overflows.
struct SolutionErrors {
  double relative_residual = 0;  ///< |r|_(M^-1)/max(|b|, |Jc^T lambda|)_(M^-1)
  double natural_map_error = 0;  ///< maximum over the contacts, scaled [-]
  double certificate_J = 0;      ///< (theta t^2/2) r^T M^-1 r [J]; NaN without a mass
};

/// value/scale. @return NaN if either is NaN or the scale overflowed
NODIA_HD double error_ratio(double value, double scale) {
  if (!is_finite(scale)) return NAN;
  return scale > 0 && value != 0 ? value / scale : value;
}

/// Scaled natural-map error [-].
NODIA_HD double scaled_error(const ContactError& error) {
  return error_ratio(error.worst, error.scale());
}

/// True if all errors are finite.
NODIA_HD bool are_finite(const SolutionErrors& errors) {
  return is_finite(errors.relative_residual + errors.natural_map_error);
}

/// Errors of a problem with mass. @param sums  sums of the solution
NODIA_HD SolutionErrors errors_of(const SolutionSums& sums, const TimeStep& step) {
  const double residual = std::sqrt(sums.dynamics.residual_squared),
               load = std::sqrt(sums.dynamics.load_squared),
               force = std::sqrt(sums.dynamics.force_squared);
  return {error_ratio(residual, larger_or_nan(load, force)), scaled_error(sums.contacts),
          step.theta * step.step_s * step.step_s / 2 * residual * residual};
}

}  // namespace nodia
