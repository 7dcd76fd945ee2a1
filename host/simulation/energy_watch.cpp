#include "host/simulation/energy_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace nodia {
namespace {

/// Largest gain, relative to the turnover of the same steps and to the largest turnover so far.
constexpr double kShareOfTurnover = 0.1, kRounding = 1e-9;
/// Rounding of the energies of a step: relative, and as a velocity [m/s].
constexpr double kRoundingOfSums = 1e-13, kRoundingOfVelocity = 1e-7;
/// Least error of a solution, because most solvers measure a residual and not the error.
constexpr double kLeastError = 1e-3;

}  // namespace

double EnergyWatch::gain_J() const {
  double gain = 0;
  for (const EnergyMemory::Step& step : memory_.steps) gain += step.gain_J;
  return gain;
}

double EnergyWatch::end_step(const EnergyTerms& t, bool* gain_is_too_large) {
  EnergyMemory& m = memory_;
  *gain_is_too_large = false;
  const double kinetic = t.kinetic_J - m.kinetic_J, elastic = t.elastic_J - m.elastic_J,
               gravity = t.gravity_J - m.gravity_J;
  const double moved_J = std::max(t.kinetic_J, m.kinetic_J);
  const double all_J = moved_J + std::max(t.robots_kinetic_J, m.robots_kinetic_J);
  const bool has_before = std::exchange(m.has_energy, true);
  m.kinetic_J = t.kinetic_J;
  m.elastic_J = t.elastic_J;
  m.gravity_J = t.gravity_J;
  m.robots_kinetic_J = t.robots_kinetic_J;
  if (!has_before) return std::numeric_limits<double>::quiet_NaN();
  const double work = t.contact_work_J + t.frame_work_J + t.push_work_J;
  const double gain = kinetic + elastic + gravity - work;
  if (!t.is_solved) {  // the residual of an unsolved step explains any gain
    m.steps.clear();
    return gain;
  }
  const double turnover = std::fabs(kinetic) + std::fabs(elastic) + std::fabs(gravity) +
                          t.contact_turnover_J + std::fabs(t.frame_work_J) +
                          std::fabs(t.push_work_J);
  const double error = std::isfinite(t.error) ? std::max(t.error, kLeastError) : kLeastError;
  if (m.steps.size() == kWindow) m.steps.erase(m.steps.begin());
  const double rounding_J =
      kRoundingOfSums * (t.kinetic_J + std::fabs(t.elastic_J) + std::fabs(t.gravity_J)) +
      t.mass_kg * kRoundingOfVelocity * kRoundingOfVelocity;
  // The error is relative to the motion of the robots, too.
  const double error_J = error * error * all_J + 2 * error * std::sqrt(all_J * moved_J);
  m.steps.push_back({gain, turnover, rounding_J + error_J});
  double turnover_J = 0, errors_J = 0;
  for (const EnergyMemory::Step& step : m.steps) {
    turnover_J += step.turnover_J;
    errors_J += step.error_J;
  }
  m.largest_turnover_J = std::max(m.largest_turnover_J, turnover_J);
  *gain_is_too_large =
      gain_J() > kShareOfTurnover * turnover_J + errors_J + kRounding * m.largest_turnover_J;
  return gain;
}

}  // namespace nodia
