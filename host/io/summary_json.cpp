#include "host/io/summary_json.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace nodia {
namespace {

using Json = nlohmann::ordered_json;

/// The larger of both, NaN where one of them is.
double max_or_nan(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? NAN : std::max(a, b);
}

}  // namespace

void StepStatistics::add(const StepRecord& r) {
  ++n_record_;
  ++reasons_[name_of(r.solve.status)];
  if (r.solve.status == SolveStatus::not_a_number)
    failures_.push_back({r.env, r.step, r.time_s, r.solve.reason});
  iterations_ += r.solve.iterations;
  iterations_max_ = std::max(iterations_max_, r.solve.iterations);
  dynamics_ms_ += r.dynamics_ms;
  solver_ms_ += r.solver_ms;
  relative_residual_ = max_or_nan(relative_residual_, r.solve.relative_residual);
  certificate_J_ = max_or_nan(certificate_J_, r.solve.certificate_J);
  penetration_m_ = max_or_nan(penetration_m_, r.max_penetration_m);
}

int StepStatistics::count_of(const std::string& status) const {
  const auto found = reasons_.find(status);
  return found == reasons_.end() ? 0 : found->second;
}

namespace {

Json environments_json(const std::vector<EnvironmentSummary>& environments) {
  Json list = Json::array();
  for (std::size_t e = 0; e < environments.size(); ++e) {
    const EnvironmentSummary& env = environments[e];
    Json drawn = Json::object();
    for (const auto& [key, value] : env.drawn) drawn[key] = value;
    list.push_back({{"env", e},
                    {"seed", env.seed},
                    {"n_node", env.n_node},
                    {"n_tet", env.n_tet},
                    {"drawn", drawn},
                    {"steps", env.statistics.steps()},
                    {"converged_steps", env.statistics.converged_steps()},
                    {"iterations_mean", env.statistics.iterations_mean()},
                    {"relative_residual_max", env.statistics.relative_residual_max()}});
  }
  return list;
}

}  // namespace

std::string summary_json(const RunSummary& s) {
  Json checks = Json::array();
  for (const CheckResult& c : s.checks)
    checks.push_back({{"name", c.name},
                      {"passed", c.passed},
                      {"value", c.value},
                      {"bound", c.bound},
                      {"unit", c.unit},
                      {"env", c.env}});
  Json reasons = Json::object();
  for (const auto& [reason, count] : s.statistics.reasons()) reasons[reason] = count;
  Json failures = Json::array();
  for (const StepStatistics::Failure& f : s.statistics.failures())
    failures.push_back(
        {{"env", f.env}, {"step", f.step}, {"time_s", f.time_s}, {"reason", f.reason}});
  const EnvironmentSummary first =
      s.environments.empty() ? EnvironmentSummary{} : s.environments[0];
  const Json json = {
      {"scenario", s.scenario},
      {"backend", s.backend},
      {"backend_because", s.backend_because},
      {"precision", name_of(s.solver.precision)},
      {"solver", s.solver.solver},
      {"stop", name_of(s.solver.stop)},
      {"tolerance", s.solver.tolerance},
      {"n_node", first.n_node},
      {"n_tet", first.n_tet},
      {"n_dof", first.n_dof},
      {"n_env", s.environments.size()},
      {"steps", s.steps},
      {"simulated_s", s.simulated_s},
      {"wall_s", s.wall_s},
      {"converged_steps", s.statistics.converged_steps()},
      {"failed_steps", s.statistics.failed_steps()},
      {"reasons", reasons},
      {"failed_environments", failures},
      {"iterations_mean", s.statistics.iterations_mean()},
      {"iterations_max", s.statistics.iterations_max()},
      {"relative_residual_max", s.statistics.relative_residual_max()},
      {"certificate_J_max", s.statistics.certificate_J_max()},
      {"max_penetration_m", s.statistics.max_penetration_m()},
      {"dynamics_ms_mean", s.statistics.dynamics_ms_mean()},
      {"solver_ms_mean", s.statistics.solver_ms_mean()},
      {"checks", checks},
      {"checks_not_reached", s.checks_not_reached},
      {"environments", environments_json(s.environments)},
      {"seed", first.seed},
      {"interrupted", s.interrupted},
      {"directory", s.directory},
      {"version", s.version},
      {"commit", s.commit},
      {"machine", {{"cpu", s.machine.cpu}, {"cores", s.machine.cores}, {"os", s.machine.os}}},
  };
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace nodia
