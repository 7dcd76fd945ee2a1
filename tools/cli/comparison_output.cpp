#include "tools/cli/comparison_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "host/io/machine.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/options.hpp"
#include "tools/command/build_info.hpp"

namespace nodia::cli {
namespace {

using studies::ComparisonRow;

std::string factoriser_of(const SolverOptions& o) {
  if (o.solver != "pgs" && o.solver != "apgd") return "-";
  return fmt::format("{}, {} rhs", name_of(o.factor.factoriser),
                     o.factor.sparse_rhs ? "sparse" : "dense");
}

/// Text of an error; "-" for NaN, for example without a reference solution.
std::string error_cell(double error) {
  return std::isnan(error) ? "-" : fmt::format("{:.3g}", error);
}

/// Cell for an option that only COND has; "-" for other solvers.
template <class TextOf>
std::string cond_cell(const ComparisonRow& row, const TextOf& text_of) {
  return row.options.solver == "cond" ? text_of(row.options.of<CondOptions>()) : "-";
}

std::string times_cond(const ComparedRow& row) {
  if (!row.measured.reached) return "not_met";
  return row.cond_ms ? fmt::format("{:.1f}", row.measured.solver_ms / *row.cond_ms) : "-";
}

/// JSON of the samples of a row. NaN becomes null.
nlohmann::ordered_json samples_json(const ComparisonRow& row, double step_s) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const studies::SampleRow& s : row.samples)
    all.push_back({{"step", s.step},
                   {"time_s", s.step * step_s},
                   {"status", name_of(s.status)},
                   {"iterations", s.iterations},
                   {"dynamics_ms", s.dynamics_ms},
                   {"solver_ms", s.solver_ms},
                   {"delassus_ms", s.delassus_ms},
                   {"max_penetration_m", s.errors.max_penetration_m},
                   {"internal_force_N", s.errors.internal_force_N},
                   {"internal_force_error_N", s.errors.internal_force_error_N},
                   {"reference_internal_force_N", s.errors.reference_internal_force_N},
                   {"sensor_force_N", s.errors.sensor_force_N},
                   {"sensor_force_error_N", s.errors.sensor_force_error_N},
                   {"reference_sensor_force_N", s.errors.reference_sensor_force_N},
                   {"displacement_error_m", s.errors.displacement_error_m},
                   {"true_error", s.errors.true_error},
                   {"relative_residual", s.errors.evaluated.relative_residual},
                   {"natural_map_error", s.errors.evaluated.natural_map_error},
                   {"error_siconos", s.errors.evaluated.error_siconos},
                   {"energy_error_J", s.errors.evaluated.energy_error_J},
                   {"energy_error_box_J", s.errors.evaluated.energy_error_box_J},
                   {"contact_force_N", s.errors.contact_force_N},
                   {"recovered_force_N", s.errors.recovered_force_N}});
  return all;
}

}  // namespace

Columns<ComparedRow> comparison_columns() {
  using R = ComparedRow;
  return {
      {"solver", Align::left, 15, "name of the solver",
       [](const R& r) { return r.measured.options.solver; }},
      {"factoriser", Align::left, 21,
       "factorisation of A by which pgs and apgd build the Delassus operator, and its right-hand "
       "sides",
       [](const R& r) { return factoriser_of(r.measured.options); }},
      {"w", Align::left, 14, "diagonal preconditioner W of cond",
       [](const R& r) {
         return cond_cell(r.measured, [](const auto& o) { return name_of(o.w); });
       }},
      {"chebyshev", Align::left, 9, "Chebyshev acceleration of cond: on or off",
       [](const R& r) {
         return cond_cell(r.measured, [](const auto& o) {
           return o.acceleration == Acceleration::chebyshev ? "on" : "off";
         });
       }},
      {"stop", Align::left, 19,
       "stopping rule; true error <= E: the loosest tolerance with a mean true error of at most E; "
       "N iterations: no rule",
       [](const R& r) { return r.measured.purpose; }},
      {"tolerance", Align::right, 9, "tolerance of the rule: of paper [m/s], of the others [-]",
       [](const R& r) { return fmt::format("{:.1e}", r.measured.options.tolerance); }},
      {"depth_mm", Align::right, 9, "largest penetration after the step [mm]",
       [](const R& r) { return error_cell(1e3 * r.measured.max_penetration_m); }},
      {"elastic_mN", Align::right, 10,
       "error of the elastic forces, Euclidean norm over all nodes [mN]",
       [](const R& r) { return error_cell(1e3 * r.measured.internal_force_error_N); }},
      {"sensor_mN", Align::right, 9,
       "error of the sensors' forces, Euclidean norm over all sensors [mN]",
       [](const R& r) { return error_cell(1e3 * r.measured.sensor_force_error_N); }},
      {"position_um", Align::right, 11,
       "largest error of the position of a node or a frame [micrometres]",
       [](const R& r) { return error_cell(1e6 * r.measured.displacement_error_m); }},
      {"true_error", Align::right, 10,
       "error of the velocity relative to the reference solution, in the norm of A [-]",
       [](const R& r) { return error_cell(r.measured.true_error); }},
      {"dynamics_ms", Align::right, 11, "time of assembly and collision detection [ms]",
       [](const R& r) { return fmt::format("{:.3f}", r.measured.dynamics_ms); }},
      {"solver_ms", Align::right, 10, "time of the whole solve [ms]",
       [](const R& r) { return fmt::format("{:.3f}", r.measured.solver_ms); }},
      {"delassus_ms", Align::right, 11,
       "part of solver_ms for the factorisation and the Delassus operator [ms]",
       [](const R& r) { return fmt::format("{:.2f}", r.measured.delassus_ms); }},
      {"iterations", Align::right, 10, "number of iterations",
       [](const R& r) { return fmt::format("{:.1f}", r.measured.iterations); }},
      {"failed", Align::right, 6, "number of steps, not a mean, whose solve did not converge",
       [](const R& r) { return fmt::format("{}", r.measured.failed_steps); }},
      {"times_cond", Align::right, 10,
       "solver_ms over that of cond for the same stop; -: cond was not measured; not_met: no "
       "tolerance has the true error",
       [](const R& r) { return times_cond(r); }},
  };
}

void MeasuredRows::add(ComparisonRow row) {
  if (row.options.solver == "cond") cond_ms_.emplace(row.purpose, row.solver_ms);
  const auto cond_ms = cond_ms_.find(row.purpose);
  keep(std::move(row), cond_ms == cond_ms_.end() ? std::nullopt : std::optional(cond_ms->second));
}

void MeasuredRows::add_ablation(ComparisonRow row) {
  keep(std::move(row), std::nullopt);
}

void MeasuredRows::keep(ComparisonRow row, std::optional<double> cond_ms) {
  table_->add({row, cond_ms});
  rows_.push_back(std::move(row));
}

void print_ratios(const std::vector<ComparisonRow>& rows) {
  for (std::size_t k = 0; k + 1 < rows.size(); k += 2)
    fmt::print("{:<14} {:<9} without / with Chebyshev: {:.1f} / {:.1f} = {:.2f}\n",
               cond_cell(rows[k], [](const auto& own) { return name_of(own.w); }), rows[k].purpose,
               rows[k].iterations, rows[k + 1].iterations,
               rows[k].iterations / rows[k + 1].iterations);
}

std::string comparison_json(const std::vector<ComparisonRow>& rows, const std::string& scenario,
                            double step_s, int n_sample, double reference_error) {
  nlohmann::ordered_json root;
  root["format"] = "nodia_compare";
  root["format_version"] = 1;
  root["scenario"] = scenario;
  root["samples"] = n_sample;
  root["reference_error"] = reference_error;
  root["version"] = kVersion;
  root["commit"] = kCommit;
  const Machine machine = this_machine();
  root["machine"] = {{"cpu", machine.cpu}, {"cores", machine.cores}, {"os", machine.os}};
  root["rows"] = nlohmann::ordered_json::array();
  for (const ComparisonRow& row : rows) {
    const CondOptions& cond = row.options.of<CondOptions>();
    root["rows"].push_back({{"solver", row.options.solver},
                            {"w", name_of(cond.w)},
                            {"chebyshev", cond.acceleration == Acceleration::chebyshev},
                            {"factoriser", factoriser_of(row.options)},
                            {"stop", name_of(stop_rule_of(row.options))},
                            {"purpose", row.purpose},
                            {"reached", row.reached},
                            {"tolerance", row.options.tolerance},
                            {"max_penetration_m", row.max_penetration_m},
                            {"internal_force_error_N", row.internal_force_error_N},
                            {"sensor_force_error_N", row.sensor_force_error_N},
                            {"displacement_error_m", row.displacement_error_m},
                            {"true_error", row.true_error},
                            {"dynamics_ms", row.dynamics_ms},
                            {"solver_ms", row.solver_ms},
                            {"delassus_ms", row.delassus_ms},
                            {"iterations", row.iterations},
                            {"failed_steps", row.failed_steps},
                            {"samples", samples_json(row, step_s)}});
  }
  return root.dump(2) + "\n";
}

}  // namespace nodia::cli
