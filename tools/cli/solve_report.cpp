#include "tools/cli/solve_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "host/problem/atomic_file.hpp"
#include "tools/command/build_info.hpp"

namespace nodia::cli {
namespace {

std::string short_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// In quotes where a comma or a quote is in it.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string cell(const ImportedSolve& solve) {
  if (solve.solution.v.empty() && solve.solution.lambda.empty())
    return fmt::format("{:<32}", name_of(solve.status));
  const std::string mark =
      solve.status == SolveStatus::converged ? "" : fmt::format(" {}", name_of(solve.status));
  return fmt::format("{:<32}", fmt::format("{:.1e} {:>6} {:>7.3f}s{}", solve.error_siconos,
                                           solve.iterations, solve.time_s, mark));
}

}  // namespace

std::string to_json(const SolvedProblem& solved) {
  const ImportedSolve& answer = solved.tried.back();
  nlohmann::ordered_json root{{"format", "nodia_solve"},
                              {"format_version", 1},
                              {"problem", solved.problem},
                              {"kind", solved.kind},
                              {"dimension", solved.dimension},
                              {"n_dof", solved.n_dof},
                              {"n_contact", solved.n_contact},
                              {"solver", answer.solver},
                              {"status", name_of(answer.status)},
                              {"iterations", answer.iterations},
                              {"time_s", answer.time_s},
                              {"error_siconos", answer.error_siconos},
                              {"natural_map_error", answer.inner.natural_map_error},
                              {"error_estimate", answer.inner.error_estimate},
                              {"error_bound", answer.inner.error_bound},
                              {"work_units", answer.inner.work_units},
                              {"energy_error_J", answer.inner.energy_error_J},
                              {"relative_residual", answer.inner.relative_residual},
                              {"reason", answer.reason},
                              {"tolerance", solved.tolerance},
                              {"rounds", answer.rounds},
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

void print_table(const std::vector<SolvedProblem>& problems) {
  std::vector<std::string> solvers;
  std::size_t width = 7;
  for (const SolvedProblem& solved : problems) {
    width = std::max(width, short_name(solved.problem).size());
    for (const ImportedSolve& solve : solved.tried)
      if (std::find(solvers.begin(), solvers.end(), solve.solver) == solvers.end())
        solvers.push_back(solve.solver);
  }
  fmt::print("error of Siconos, iterations, time; tolerance {:.1e}\n{:<{}} {:<7}{:>7}{:>7}",
             problems.empty() ? 0 : problems.front().tolerance, "problem", width, "kind", "dof",
             "cont.");
  for (const std::string& name : solvers) fmt::print("   {:<32}", name);
  fmt::print("\n");
  for (const SolvedProblem& solved : problems) {
    fmt::print("{:<{}} {:<7}{:>7}{:>7}", short_name(solved.problem), width, solved.kind,
               solved.n_dof, solved.n_contact);
    for (const std::string& name : solvers)
      for (const ImportedSolve& solve : solved.tried)
        if (solve.solver == name) fmt::print("   {}", cell(solve));
    fmt::print("\n");
  }
}

void write_csv(const std::vector<SolvedProblem>& problems, const std::string& path) {
  std::string text =
      "problem,kind,dimension,n_dof,n_contact,solver,status,iterations,time_s,error_siconos,"
      "natural_map_error,relative_residual,tolerance,reason\n";
  for (const SolvedProblem& solved : problems)
    for (const ImportedSolve& s : solved.tried)
      text += fmt::format("{},{},{},{},{},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{}\n",
                          csv_field(short_name(solved.problem)), solved.kind, solved.dimension,
                          solved.n_dof, solved.n_contact, s.solver, name_of(s.status), s.iterations,
                          s.time_s, s.error_siconos, s.inner.natural_map_error,
                          s.inner.relative_residual, solved.tolerance, csv_field(s.reason));
  replace_file(path, text);
}

}  // namespace nodia::cli
