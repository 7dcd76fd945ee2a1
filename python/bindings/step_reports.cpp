#include "python/bindings/step_reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace nodia::python {
namespace {

/// Statuses from best to worst.
constexpr std::array kOrder = {SolveStatus::converged,   SolveStatus::iteration_limit,
                               SolveStatus::stalled,     SolveStatus::infeasible,
                               SolveStatus::diverged,    SolveStatus::failed,
                               SolveStatus::not_a_number};

bool is_worse(SolveStatus a, SolveStatus b) {
  return std::find(kOrder.begin(), kOrder.end(), a) > std::find(kOrder.begin(), kOrder.end(), b);
}

std::string told(const OverlapNotice& o) {
  return fmt::format("'{}' and '{}' lie {:.3g} m in each other{}, {:.0f} % of the smaller one", o.i,
                     o.j, o.depth_m, o.at_start ? " at the start" : "", 100 * o.share);
}

}  // namespace

StepReports::StepReports(int n_env) {
  const auto n = static_cast<std::size_t>(n_env);
  for (auto* column : {&status, &reason, &solver}) column->resize(n);
  for (auto* column : {&steps, &iterations, &n_contact, &n_stick, &n_slip}) column->resize(n);
  for (auto* column :
       {&time_s, &relative_residual, &natural_map_error, &error_estimate, &certificate_J,
        &max_penetration_m, &kinetic_energy_J, &potential_energy_J, &solver_ms})
    column->resize(n);
  worst_.resize(n);
}

void StepReports::add(const StepRecord& r) {
  const auto e = static_cast<std::size_t>(r.env);
  const bool first = steps[e]++ == 0;
  if (first || is_worse(r.solve.status, worst_[e])) {
    worst_[e] = r.solve.status;
    status[e] = name_of(r.solve.status);
    reason[e] = r.solve.reason;
  }
  const auto worst = [&](std::vector<double>* column, double value) {
    double& kept = (*column)[e];
    if (first || std::isnan(value) || value > kept) kept = value;
  };
  worst(&relative_residual, r.solve.relative_residual);
  worst(&natural_map_error, r.solve.natural_map_error);
  worst(&error_estimate, r.solve.error_estimate);
  worst(&certificate_J, r.solve.certificate_J);
  worst(&max_penetration_m, r.max_penetration_m);
  iterations[e] += r.solve.iterations;
  solver_ms[e] += r.solver_ms;
  solver[e] = r.solve.solver;
  n_contact[e] = r.n_contact;
  n_stick[e] = r.n_stick;
  n_slip[e] = r.n_slip;
  time_s[e] = r.time_s;
  kinetic_energy_J[e] = r.kinetic_energy_J;
  potential_energy_J[e] = r.potential_energy_J;
  for (const OverlapNotice& o : r.overlaps) overlaps.push_back({r.env, told(o)});
}

void StepReports::keep(const StepRecord& r) {
  add(r);
  const auto e = static_cast<std::size_t>(r.env);
  steps[e] = iterations[e] = 0;
  solver_ms[e] = 0;
  std::erase_if(overlaps, [&](const Notice& notice) { return notice.env == r.env; });
}

}  // namespace nodia::python
