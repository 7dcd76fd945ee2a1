/// `nodia solve`: solves imported problems, exported problems and steps of scenarios with any
/// solver. The error of a solution is computed from the numbers of the file.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "host/base/threads.hpp"
#include "host/exchange/exported_problem.hpp"
#include "host/exchange/fclib.hpp"
#include "host/exchange/read_problem.hpp"
#include "host/exchange/solution_file.hpp"
#include "host/exchange/solve_local.hpp"
#include "host/simulation/simulation.hpp"
#include "host/solvers/automatic/automatic.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/options.hpp"
#include "kernels/core/error.hpp"
#include "scenarios/build/solver_settings.hpp"
#include "tools/cli/solve_report.hpp"
#include "tools/cli/verbs.hpp"
#include "tools/command/common_options.hpp"
#include "tools/command/interrupt.hpp"
#include "tools/command/output_options.hpp"
#include "tools/command/progress.hpp"

namespace nodia::cli {
namespace {

namespace fs = std::filesystem;

struct SolveOptions {
  std::vector<std::string> files, settings, solvers, exported;
  std::optional<std::string> solver;
  SolverFlags flags;
  BackendRequest backend;
  int step = 1;
  std::string out, csv;
  OverwriteFlag overwrite;
  bool table = false, json = false;
};

bool is_scenario(const std::string& path) {
  const std::string suffix = fs::path(path).extension().string();
  return suffix == ".yaml" || suffix == ".yml";
}

/// Replaces folders by their problem files, in alphabetical order.
std::vector<std::string> problem_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    const std::size_t first = files.size();
    for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
      const std::string suffix = entry.path().extension().string();
      if (entry.is_regular_file() && (suffix == ".dat" || suffix == ".hdf5" || suffix == ".h5"))
        files.push_back(entry.path().string());
    }
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
    if (files.size() == first)
      throw InputError(fmt::format("{}: no problems (must hold .dat, .hdf5 or .h5 files)", path));
  }
  return files;
}

/// Settings of the solver: --set, then named options.
std::vector<std::string> solver_settings(const SolveOptions& options) {
  std::vector<std::string> settings;
  for (const std::string& setting : options.settings)
    if (setting.rfind("solver.", 0) == 0) settings.push_back(setting);
  for (const std::string& setting : options.flags.settings()) settings.push_back(setting);
  return settings;
}

/// A problem and the path from which it was read.
struct Input {
  std::string path;
  AnyProblem problem;
};

/// Problem of a step of a scenario. The previous steps use the scenario's solver.
OwnProblem problem_of_step(const std::string& path, const SolveOptions& options) {
  Scenario scenario = load_scenario(path, options.settings);
  const int n_step = step_count(scenario.scene.time);
  require(options.step >= 1 && options.step <= n_step, "--step", options.step,
          fmt::format("from 1 to {}", n_step), "the scenario's steps");
  std::vector<Scene> scenes;
  scenes.push_back(std::move(scenario.scene));
  Simulation simulation(std::move(scenes), scenario.solver);
  Progress progress(options.step);
  for (int k = 1; k < options.step; ++k) {
    if (interrupted()) throw Interrupted();
    simulation.step();
    if (simulation.failed(0))
      throw RuntimeError(
          fmt::format("{}: step {} failed, so there is no step {}", path, k, options.step));
    progress.update(k);
  }
  progress.clear();
  OwnProblem own;
  own.problem = simulation.build_problem(&own.warm);
  return own;
}

Input read_input(const std::string& path, const SolveOptions& options) {
  if (is_scenario(path)) return {path, problem_of_step(path, options)};
  for (const std::string& setting : options.settings)
    if (setting.rfind("solver.", 0) != 0)
      throw InputError(
          fmt::format("--set {} (must be a key of the solver, solver.KEY=VALUE; {} is no scenario)",
                      setting, path));
  return {path, read_problem(path)};
}

void export_problem(const Input& input, const std::string& format, const std::string& path) {
  const auto* friction = std::get_if<FrictionProblem>(&input.problem);
  const auto* own = std::get_if<OwnProblem>(&input.problem);
  if (format == "fclib")
    write_fclib(
        friction ? *friction : exported_problem(own->problem, fs::path(input.path).stem().string()),
        path);
  else if (format == "nodia")
    save_problem(friction ? ImportedProblem(*friction, input.path).contact_problem() : own->problem,
                 path, friction ? WarmStart{} : own->warm);
  else
    throw_bad_value("--export", format, "fclib or nodia", "--export fclib FILE.hdf5");
}

/// Solves one problem with one or several solvers.
class ProblemSolver {
 public:
  ProblemSolver(const SolveOptions& options, const Input& input) : input_(input) {
    SolverOptions defaults;
    const auto* friction = std::get_if<FrictionProblem>(&input.problem);
    if (friction) defaults.of<CondOptions>().virtual_gain = kImportedVirtualGain;
    options_.solver = read_solver_settings(solver_settings(options), defaults);
    options.flags.thread_cap.apply(&options_.solver.execution.threads);
    options_.cancel = [] { return interrupted(); };
    solved_.problem = input.path;
    solved_.tolerance = options_.solver.tolerance;
    if (friction) {
      imported_.emplace(*friction, input.path);
      solved_.kind = name_of(friction->kind);
      solved_.dimension = friction->dimension;
      solved_.n_dof = friction->n_dof();
      solved_.n_contact = friction->n_contact();
      solved_.notes = friction->notes;
    } else {
      const ContactProblem& own = std::get<OwnProblem>(input.problem).problem;
      solved_.kind = name_of(FrictionKind::global);
      solved_.n_dof = 3 * own.n_node();
      solved_.n_contact = own.n_contact();
      solved_.n_env = own.n_env();
    }
  }

  /// @param solver  absent or `auto`: selected by the kind of problem
  /// @return the backend in use
  ResolvedBackend solve(const std::optional<std::string>& solver, const BackendRequest& backend) {
    ImportedSolveOptions options = options_;
    options.automatic = !solver || *solver == kAutomaticName;
    options.solver.solver = options.automatic ? "cond" : *solver;
    ResolvedBackend resolved = backend.resolve(
        options.solver.solver,
        {[&] { return workload(); }, [&] { return no_device_form(options.solver); }},
        &options.solver.execution);
    limit_dense_threads(thread_count(options.solver.execution.threads, solved_.n_dof / 3));
    std::vector<ImportedSolve> tried;
    if (imported_) {
      const bool from_matrix = solved_.kind == name_of(FrictionKind::local) &&
                               (options.automatic || solves_from_delassus_matrix(*solver));
      if (!from_matrix) imported_->contact_problem();  // once for all solvers
      ImportedProblem problem = *imported_;
      tried = solve_imported(&problem, options);
    } else {
      const OwnProblem& own = std::get<OwnProblem>(input_.problem);
      tried = solve_to_error(own.problem, options, own.warm);
    }
    for (ImportedSolve& solve : tried) solved_.tried.push_back(std::move(solve));
    return resolved;
  }
  /// Same as solve(), but reports a problem that the solver rejects instead of throwing.
  void solve_or_tell(const std::string& solver, const BackendRequest& backend) {
    try {
      solve(solver, backend);
    } catch (const InputError& error) {
      ImportedSolve rejected;
      rejected.solver = solver;
      rejected.status = SolveStatus::infeasible;
      rejected.error_siconos = std::numeric_limits<double>::quiet_NaN();
      rejected.reason = error.what();
      solved_.tried.push_back(std::move(rejected));
    }
  }

  const SolvedProblem& solved() const { return solved_; }
  SolvedProblem take() { return std::move(solved_); }
  void write(const std::string& path) const {
    if (imported_)
      write_solution(path, input_.path, *imported_, solved_.tried.back());
    else
      write_solution(path, input_.path, std::get<OwnProblem>(input_.problem).problem,
                     solved_.tried.back());
  }

 private:
  Workload workload() const {
    if (!imported_) return workload_of(std::get<OwnProblem>(input_.problem).problem);
    return {solved_.n_dof / 3, 1, false};
  }

  std::string no_device_form(const SolverOptions& solver) const {
    if (imported_) return newton_without_device_form(ContactProblem{}, solver);
    return newton_without_device_form(std::get<OwnProblem>(input_.problem).problem, solver);
  }

  const Input& input_;
  ImportedSolveOptions options_;
  std::optional<ImportedProblem> imported_;
  SolvedProblem solved_;
};

void tell_notes(const SolvedProblem& solved) {
  for (const std::string& note : solved.notes) spdlog::warn("{}: {}", solved.problem, note);
}

int solve_one(const SolveOptions& options, const std::string& path) {
  const Input input = read_input(path, options);
  if (!options.exported.empty()) {
    export_problem(input, options.exported[0], options.exported[1]);
    if (!options.solver && !options.json && options.out.empty()) return kGood;
  }
  ProblemSolver solver(options, input);
  tell_notes(solver.solved());
  const ResolvedBackend backend = solver.solve(options.solver, options.backend);
  if (const std::string told = backend.in_words(); !told.empty()) spdlog::info(told);
  const SolvedProblem& solved = solver.solved();
  for (std::size_t k = 0; k + 1 < solved.tried.size(); ++k)
    spdlog::warn("{} ended with {} ({}): another solver follows", solved.tried[k].solver,
                 name_of(solved.tried[k].status), solved.tried[k].reason);
  if (!options.out.empty()) solver.write(options.out);
  if (options.json)
    fmt::print("{}", to_json(solved));
  else
    print_solved(solved);
  if (interrupted()) return kInterrupted;
  return solved.tried.back().status == SolveStatus::converged ? kGood : kFailed;
}

int make_table(const SolveOptions& options, const std::vector<std::string>& files) {
  std::vector<std::string> solvers = options.solvers;
  if (solvers.empty())
    for (const SolverEntry& entry : solver_catalogue())
      if (entry.name != std::string(kAutomaticName)) solvers.emplace_back(entry.name);
  for (const std::string& name : solvers) {
    SolverOptions known;
    known.solver = name;
    make_solver(known);  // rejects an unknown name before the work starts
  }
  options.backend.device.require_good();
  RowTable<SolveRow> table(solve_columns(files), !options.json, options.csv);
  table.print_header();
  std::vector<SolvedProblem> problems;
  bool all_solved = true;
  Progress progress(static_cast<int>(files.size()));
  for (const std::string& file : files) {
    const Input input = read_input(file, options);
    ProblemSolver solver(options, input);
    progress.clear();
    tell_notes(solver.solved());
    for (const std::string& name : solvers) {
      BackendRequest backend = options.backend;
      if (backend.backend == "auto" && name != "cond")
        backend.device = DeviceRequest{};  // only cond uses the device then
      const std::size_t before = solver.solved().tried.size();
      solver.solve_or_tell(name, backend);
      if (interrupted()) throw Interrupted();
      progress.clear();
      for (std::size_t k = before; k < solver.solved().tried.size(); ++k)
        table.add({solver.solved(), solver.solved().tried[k]});
    }
    problems.push_back(solver.take());
    const std::vector<ImportedSolve>& tried = problems.back().tried;
    all_solved = all_solved && std::any_of(tried.begin(), tried.end(), [](const ImportedSolve& s) {
                   return s.status == SolveStatus::converged;
                 });
    progress.update(static_cast<int>(problems.size()));
  }
  progress.clear();
  if (options.json) {
    fmt::print("[\n");
    for (std::size_t k = 0; k < problems.size(); ++k)
      fmt::print("{}{}", to_json(problems[k]), k + 1 < problems.size() ? ",\n" : "");
    fmt::print("]\n");
  }
  return all_solved ? kGood : kFailed;
}

int solve(const SolveOptions& options) {
  catch_interrupts();
  if (!options.exported.empty())
    options.overwrite.require_writable("--export", options.exported[1]);
  if (!options.out.empty()) options.overwrite.require_writable("--out", options.out);
  if (!options.csv.empty()) options.overwrite.require_writable("--csv", options.csv);
  const std::vector<std::string> files = problem_files(options.files);
  read_solver_settings(solver_settings(options));
  if (options.solver && *options.solver != "auto") {
    SolverOptions known;
    known.solver = *options.solver;
    make_solver(known);
  }
  if (options.table || !options.solvers.empty()) {
    if (options.solver || !options.exported.empty() || !options.out.empty())
      throw InputError(
          "--table (must be without --solver, --export and --out; --solvers A,B and --csv FILE go "
          "with it)");
    return make_table(options, files);
  }
  if (files.size() != 1)
    throw InputError(
        fmt::format("{} problems (must be one; with --table any number)", files.size()));
  if (!options.csv.empty()) throw InputError("--csv (must be with --table)");
  return solve_one(options, files.front());
}

}  // namespace

Action declare_solve(CLI::App& app) {
  const auto options = std::make_shared<SolveOptions>();
  options->flags.tolerance = "1e-8";
  options->flags.max_iterations = "20000";
  app.add_option("problem", options->files,
                 "a .dat file of Siconos, an HDF5 file of fclib, a .nodia.h5 file, or a scenario "
                 "with --step; with --table, several files and folders")
      ->required()
      ->check(CLI::ExistingPath)
      ->type_name("PROBLEM");
  app.add_option("--solver", options->solver,
                 "name of a solver; auto: chosen by the kind of problem, and another one is tried "
                 "if it does not converge")
      ->type_name("NAME|auto")
      ->group("Solver");
  options->flags.declare(
      app, {{"--stop", nullptr},
            {"--tolerance",
             "tolerance of the error as Siconos defines it, recomputed from the file [1e-8]"},
            {"--max-iterations",
             "maximum number of iterations per solver, all restarts together [20000]"}});
  app.add_option("--set", options->settings,
                 "solver.KEY=VALUE for any option of the solvers; for a scenario, any of its "
                 "values; can be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  declare(app, &options->backend);
  app.add_option("--step", options->step, "step of the scenario whose problem is solved, from 1")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--export", options->exported,
                 "write the problem as fclib FILE.hdf5 or nodia FILE.nodia.h5; it is solved only "
                 "if --solver, --out or --json is given")
      ->expected(2)
      ->type_name("FORMAT FILE");
  app.add_option("--out", options->out, "write velocities and contact forces to an HDF5 file")
      ->type_name("FILE");
  app.add_flag("--table", options->table,
               "solve every problem by every solver, and print each result as soon as it is known");
  app.add_option("--solvers", options->solvers,
                 "comma-separated solvers of the table (default: all)")
      ->delimiter(',')
      ->type_name("NAMES");
  app.add_option("--csv", options->csv, "write the table to a CSV file, row by row")
      ->type_name("FILE");
  options->overwrite.declare(app, "replace existing files");
  app.add_flag("--json", options->json, "print one JSON object on stdout, messages on stderr");
  explain_columns(app, "Columns of --table and --csv", solve_columns({}));
  return [options] { return solve(*options); };
}

}  // namespace nodia::cli
