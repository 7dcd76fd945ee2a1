#include "host/io/summary_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "host/io/look_at.hpp"
#include "host/io/steps_csv.hpp"
#include "host/solvers/catalogue.hpp"

namespace nodia {
namespace {

using Json = nlohmann::ordered_json;

void include(double value, const StepRecord& r, LargestValue* largest) {
  if (!largest->why.empty()) return;
  if (std::isfinite(value)) {
    largest->value = std::max(largest->value, value);
    return;
  }
  *largest = {value, r.env, r.step, "not measured"};
  if (!is_failure(r.solve.status)) return;
  largest->why = name_of(r.solve.status);
  if (!r.solve.reason.empty()) largest->why += ": " + r.solve.reason;
}

}  // namespace

void StepStatistics::add(const StepRecord& r) {
  ++n_record_;
  n_on_device_ += r.on_device;
  Ending& ending = endings_[r.solve.status];
  if (++ending.count == 1) ending = {1, r.env, r.step, r.time_s, r.solve.reason};
  if (r.solve.status == SolveStatus::not_a_number)
    failures_.push_back({r.env, r.step, r.time_s, r.solve.reason});
  for (const OverlapNotice& notice : r.overlaps)
    overlaps_.push_back({r.env, r.step, r.time_s, notice});
  if (r.turn.angle_rad > largest_turn_.turn.angle_rad)
    largest_turn_ = {r.env, r.step, r.time_s, r.turn};
  for (const std::string& mount : r.broken_mounts)
    broken_mounts_.push_back({mount, r.env, r.step, r.time_s});
  for (const LimitedDrive& drive : r.limited_drives) {
    Limited& limited = limited_drives_[drive.joint];
    if (++limited.count == 1) limited = {drive, 1, r.env, r.step, r.time_s};
  }
  if (!r.solve.solver.empty()) ++solvers_[r.solve.solver];
  n_fell_back_ += r.solve.fell_back();
  iterations_ += r.solve.iterations;
  iterations_max_ = std::max(iterations_max_, r.solve.iterations);
  dynamics_ms_ += r.dynamics_ms;
  solver_ms_ += r.solver_ms;
  include(r.solve.relative_residual, r, &relative_residual_);
  include(r.solve.certificate_J, r, &certificate_J_);
  include(r.max_penetration_m, r, &penetration_m_);
  if (std::isnan(r.solve.error_estimate)) return;
  ++n_estimated_;
  if (r.solve.absolute_floor)
    ++n_floor_ended_;
  else
    error_estimate_max_ = std::max(error_estimate_max_, r.solve.error_estimate);
}

void StepStatistics::archive(Archive& a) {
  a("n_record", n_record_);
  a("n_on_device", n_on_device_);
  a("iterations_max", iterations_max_);
  a("endings", endings_);
  a("failures", failures_);
  a("overlaps", overlaps_);
  a("largest_turn", largest_turn_);
  a("broken_mounts", broken_mounts_);
  a("limited_drives", limited_drives_);
  a("iterations", iterations_);
  a("dynamics_ms", dynamics_ms_);
  a("solver_ms", solver_ms_);
  a("relative_residual", relative_residual_);
  a("certificate_J", certificate_J_);
  a("penetration_m", penetration_m_);
  a("n_estimated", n_estimated_);
  a("n_floor_ended", n_floor_ended_);
  a("error_estimate_max", error_estimate_max_);
  a("solvers", solvers_);
  a("n_fell_back", n_fell_back_);
}

int StepStatistics::converged_steps() const {
  const auto found = endings_.find(SolveStatus::converged);
  return found == endings_.end() ? 0 : found->second.count;
}

bool StepStatistics::failed() const {
  return std::any_of(endings_.begin(), endings_.end(),
                     [](const auto& ending) { return is_failure(ending.first); });
}

namespace {

/// Number of steps by status.
Json reasons_json(const StepStatistics& statistics) {
  Json reasons = Json::object();
  for (const auto& [status, ending] : statistics.endings()) reasons[name_of(status)] = ending.count;
  return reasons;
}

Json environments_json(const std::vector<EnvironmentSummary>& environments) {
  Json list = Json::array();
  for (std::size_t e = 0; e < environments.size(); ++e) {
    const EnvironmentSummary& env = environments[e];
    Json drawn = Json::object();
    for (const auto& [key, value] : env.drawn) drawn[key] = Json::parse(value);
    list.push_back({{"env", e},
                    {"reasons", reasons_json(env.statistics)},
                    {"seed", env.seed},
                    {"episode", env.episode},
                    {"attempt", env.attempt},
                    {"n_node", env.n_node},
                    {"n_tet", env.n_tet},
                    {"drawn", drawn},
                    {"steps", env.statistics.steps()},
                    {"converged_steps", env.statistics.converged_steps()},
                    {"iterations_mean", env.statistics.iterations_mean()},
                    {"max_penetration_m", env.statistics.penetration_m().value},
                    {"relative_residual_max", env.statistics.relative_residual().value}});
  }
  return list;
}

Json overlaps_json(const StepStatistics& statistics) {
  Json list = Json::array();
  for (const StepStatistics::Overlap& o : statistics.overlaps())
    list.push_back({{"env", o.env},
                    {"step", o.step},
                    {"time_s", o.time_s},
                    {"objects", {o.notice.i, o.notice.j}},
                    {"depth_m", o.notice.depth_m},
                    {"share", o.notice.share},
                    {"at_start", o.notice.at_start}});
  return list;
}

/// Steps that did not converge.
Json endings_json(const StepStatistics& statistics) {
  Json list = Json::array();
  for (const auto& [status, ending] : statistics.endings()) {
    if (status == SolveStatus::converged) continue;
    list.push_back({{"status", name_of(status)},
                    {"steps", ending.count},
                    {"fails_the_run", is_failure(status)},
                    {"first",
                     {{"env", ending.env},
                      {"step", ending.step},
                      {"time_s", ending.time_s},
                      {"reason", ending.reason}}}});
  }
  return list;
}

/// Values that are null.
Json not_finite_json(const StepStatistics& statistics) {
  Json list = Json::array();
  const auto add = [&](const char* key, const LargestValue& largest) {
    if (largest.why.empty()) return;
    list.push_back(
        {{"key", key}, {"env", largest.env}, {"step", largest.step}, {"reason", largest.why}});
  };
  add("relative_residual_max", statistics.relative_residual());
  add("certificate_J_max", statistics.certificate_J());
  add("max_penetration_m", statistics.penetration_m());
  return list;
}

Json look_at_json(const RunSummary& summary) {
  Json list = Json::array();
  for (const LookAt& item : what_to_look_at(summary))
    list.push_back({{"what", item.what},
                    {"env", item.env >= 0 ? Json(item.env) : Json()},
                    {"step", item.step >= 0 ? Json(item.step) : Json()},
                    {"text", item.text}});
  return list;
}

Json trajectories_json(const std::vector<RecordedFile>& files) {
  Json list = Json::array();
  for (const RecordedFile& file : files)
    list.push_back({{"file", file.name}, {"frames", file.n_frame}});
  return list;
}

}  // namespace

std::string summary_json(const RunSummary& s) {
  Json checks = Json::array();
  for (const CheckResult& c : s.checks) {
    checks.push_back({{"name", c.name},
                      {"passed", c.passed},
                      {"value", c.value},
                      {"bound", c.bound},
                      {"unit", c.unit},
                      {"env", c.env},
                      {"compared", c.not_compared.empty()},
                      {"reason", c.not_compared}});
    if (const auto& e = c.expectation)
      checks.back().update({{"quantity", c.quantity},
                            {"measured", e->measured},
                            {"expected", e->expected},
                            {"tolerance", e->tolerance},
                            {"measured_unit", e->unit}});
  }
  Json failures = Json::array();
  for (const StepStatistics::Failure& f : s.statistics.failures())
    failures.push_back(
        {{"env", f.env}, {"step", f.step}, {"time_s", f.time_s}, {"reason", f.reason}});
  const EnvironmentSummary first =
      s.environments.empty() ? EnvironmentSummary{} : s.environments[0];
  const double tolerance = tolerance_of(s.solver);
  Json json = {
      {"format", "nodia_summary"},
      {"format_version", kSummaryVersion},
      {"steps_csv_version", kStepsCsvVersion},
      {"scenario", s.scenario},
      {"backend", s.backend},
      {"backend_because", s.backend_because},
      {"device", s.device ? Json(*s.device) : Json()},
      {"loop", s.loop ? Json(*s.loop) : Json()},
      {"loop_because", s.loop_because},
      {"steps_on_device", s.statistics.steps_on_device()},
      {"precision", name_of(s.solver.execution.precision)},
      {"solver", s.solver.solver},
      {"solvers", s.statistics.solvers()},
      {"fell_back_steps", s.statistics.fell_back_steps()},
      {"stop", name_of(stop_rule_of(s.solver))},
      {"tolerance", tolerance != kOwnTolerance ? Json(tolerance) : Json()},
      {"n_node", first.n_node},
      {"n_tet", first.n_tet},
      {"n_dof", first.n_dof},
      {"n_env", s.environments.size()},
      {"steps", s.steps},
      {"simulated_s", s.simulated_s},
      {"wall_s", s.wall_s},
      {"converged_steps", s.statistics.converged_steps()},
      {"failed_steps", s.statistics.failed_steps()},
      {"reasons", reasons_json(s.statistics)},
      {"run_failed", s.statistics.failed()},
      {"unconverged", endings_json(s.statistics)},
      {"overlaps", overlaps_json(s.statistics)},
      {"failed_environments", failures},
      {"iterations_mean", s.statistics.iterations_mean()},
      {"iterations_max", s.statistics.iterations_max()},
      {"relative_residual_max", s.statistics.relative_residual().value},
      {"certificate_J_max", s.statistics.certificate_J().value},
      {"error_estimate_max", s.statistics.error_estimate_max()},
      {"estimated_steps", s.statistics.estimated_steps()},
      {"floor_ended_steps", s.statistics.floor_ended_steps()},
      {"max_penetration_m", s.statistics.penetration_m().value},
      {"not_finite", not_finite_json(s.statistics)},
      {"dynamics_ms_mean", s.statistics.dynamics_ms_mean()},
      {"solver_ms_mean", s.statistics.solver_ms_mean()},
      {"checks", checks},
      {"checks_not_reached", s.checks_not_reached},
      {"environments", environments_json(s.environments)},
      {"seed", first.seed},
      {"episode", first.episode},
      {"attempt", first.attempt},
      {"interrupted", s.interrupted},
      {"warnings", s.warnings},
      {"look_at", look_at_json(s)},
      {"directory", s.directory},
      {"trajectories", trajectories_json(s.trajectories)},
      {"steps_csv",
       {{"bytes", s.steps_sum.n_byte}, {"checksum", shown_checksum(s.steps_sum.checksum)}}},
      {"version", s.version},
      {"commit", s.commit},
      {"machine", {{"cpu", s.machine.cpu}, {"cores", s.machine.cores}, {"os", s.machine.os}}},
  };
  const auto text = [&] { return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n'; };
  json["checksum"] = shown_checksum(checksum_of(text()));
  return text();
}

bool has_own_checksum(const std::string& summary_json) {
  constexpr std::string_view kKey = ",\n  \"checksum\": \"", kEnd = "\"\n}\n";
  const std::size_t at = summary_json.rfind(kKey);
  if (at == std::string::npos) return false;
  const std::string sum = shown_checksum(checksum_of(summary_json.substr(0, at) + "\n}\n"));
  return summary_json.substr(at) == fmt::format("{}{}{}", kKey, sum, kEnd);
}

}  // namespace nodia
