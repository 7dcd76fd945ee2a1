#include "tools/cli/solve_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/command/build_info.hpp"

namespace nodia::cli {
namespace {

std::string short_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::string shown_number(double x) {
  return fmt::format("{:.6g}", x);
}

/// Width of the column with the names of the files.
std::size_t width_of(const std::vector<std::string>& files) {
  std::size_t width = std::string("problem").size();
  for (const std::string& file : files) width = std::max(width, short_name(file).size());
  return width;
}

}  // namespace

std::string to_json(const SolvedProblem& solved) {
  const ImportedSolve& solution = solved.tried.back();
  nlohmann::ordered_json root{{"format", "nodia_solve"},
                              {"format_version", 1},
                              {"problem", solved.problem},
                              {"kind", solved.kind},
                              {"dimension", solved.dimension},
                              {"n_dof", solved.n_dof},
                              {"n_contact", solved.n_contact},
                              {"solver", solution.solver},
                              {"status", name_of(solution.status)},
                              {"iterations", solution.iterations},
                              {"time_s", solution.time_s},
                              {"error_siconos", solution.error_siconos},
                              {"natural_map_error", solution.inner.natural_map_error},
                              {"error_estimate", solution.inner.error_estimate},
                              {"error_bound", solution.inner.error_bound},
                              {"work_units", solution.inner.work_units},
                              {"energy_error_J", solution.inner.energy_error_J},
                              {"relative_residual", solution.inner.relative_residual},
                              {"reason", solution.reason},
                              {"tolerance", solved.tolerance},
                              {"rounds", solution.rounds},
                              {"n_env", solved.n_env},
                              {"notes", solved.notes}};
  root["tried"] = nlohmann::ordered_json::array();
  for (const ImportedSolve& solve : solved.tried)
    root["tried"].push_back({{"solver", solve.solver},
                             {"status", name_of(solve.status)},
                             {"reason", solve.reason},
                             {"iterations", solve.iterations},
                             {"time_s", solve.time_s},
                             {"error_siconos", solve.error_siconos}});
  root["version"] = kVersion;
  root["commit"] = kCommit;
  return root.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void print_solved(const SolvedProblem& solved) {
  fmt::print("{}: {} problem in {} dimensions, {} unknowns, {} contacts{}\n",
             short_name(solved.problem), solved.kind, solved.dimension, solved.n_dof,
             solved.n_contact,
             solved.n_env > 1 ? fmt::format(", {} environments", solved.n_env) : "");
  for (const ImportedSolve& solve : solved.tried)
    fmt::print("{:<8} {:<16} error {:.2e}  {} iterations in {} rounds, {:.3f} s{}\n", solve.solver,
               name_of(solve.status), solve.error_siconos, solve.iterations, solve.rounds,
               solve.time_s, solve.reason.empty() ? "" : "  (" + solve.reason + ")");
}

Columns<SolveRow> solve_columns(const std::vector<std::string>& files) {
  using R = SolveRow;
  return {
      {"problem", Align::left, width_of(files), "name of the file",
       [](const R& r) { return short_name(r.problem.problem); }},
      {"kind", Align::left, 6, "global: unknowns are velocities; local: contact forces",
       [](const R& r) { return r.problem.kind; }},
      {"dimension", Align::right, 9, "dimension of space, 2 or 3",
       [](const R& r) { return fmt::format("{}", r.problem.dimension); }},
      {"n_dof", Align::right, 7, "number of degrees of freedom",
       [](const R& r) { return fmt::format("{}", r.problem.n_dof); }},
      {"n_contact", Align::right, 9, "number of contacts",
       [](const R& r) { return fmt::format("{}", r.problem.n_contact); }},
      {"solver", Align::left, 15, "name of the solver", [](const R& r) { return r.solve.solver; }},
      {"status", Align::left, 15, "converged, or how the solver ended otherwise",
       [](const R& r) { return std::string(name_of(r.solve.status)); }},
      {"iterations", Align::right, 10, "number of iterations, all restarts together",
       [](const R& r) { return fmt::format("{}", r.solve.iterations); }},
      {"time_s", Align::right, 11, "wall time of the solver [s]",
       [](const R& r) { return shown_number(r.solve.time_s); }},
      {"error_siconos", Align::right, 13,
       "error as Siconos defines it, recomputed from the file [-]",
       [](const R& r) { return shown_number(r.solve.error_siconos); }},
      {"natural_map_error", Align::right, 17,
       "worst violation of the Signorini-Coulomb conditions, scaled [-]",
       [](const R& r) { return shown_number(r.solve.inner.natural_map_error); }},
      {"relative_residual", Align::right, 17, "residual of the dynamics, relative [-]",
       [](const R& r) { return shown_number(r.solve.inner.relative_residual); }},
      {"tolerance", Align::right, 9, "tolerance of error_siconos [-]",
       [](const R& r) { return shown_number(r.problem.tolerance); }},
      {"reason", Align::left, 6, "why the solver did not converge",
       [](const R& r) { return r.solve.reason; }},
  };
}

}  // namespace nodia::cli
