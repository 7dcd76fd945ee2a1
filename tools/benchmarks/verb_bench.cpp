/// `nodia bench` measures the cost of kernels and of whole steps.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "host/io/machine.hpp"
#include "host/problem/atomic_file.hpp"
#include "host/solvers/automatic/automatic.hpp"
#include "host/solvers/execution.hpp"
#include "kernels/core/error.hpp"
#include "kernels/cpu/isa.hpp"
#include "kernels/device/device.hpp"
#include "tools/benchmarks/bench.hpp"
#include "tools/benchmarks/row_table.hpp"
#include "tools/benchmarks/verbs.hpp"
#include "tools/command/build_info.hpp"
#include "tools/command/common_options.hpp"
#include "tools/command/interrupt.hpp"
#include "tools/command/output_options.hpp"
#include "tools/command/python.hpp"
#include "tools/command/thread_cap.hpp"
#include "tools/compare/refinement.hpp"

namespace nodia::cli {
namespace {

using Json = nlohmann::ordered_json;
using studies::Row;

struct BenchWords {
  std::string scenario;
  std::optional<std::vector<int>> nodes, envs;
  std::optional<int> rounds, steps;
  std::vector<std::string> precisions{"double", "mixed", "float"};
  std::string backend = "all", directory;
  studies::BenchOptions bench;
  DeviceRequest device;
  OverwriteFlag overwrite;
  ThreadCap thread_cap;
  bool quick = false, json = false, json_lines = false;
};

studies::BenchOptions resolve(const BenchWords& words) {
  studies::BenchOptions options = words.bench;
  for (int& threads : options.threads)
    if (threads > 0) words.thread_cap.apply(&threads);
  if (words.quick) {
    options.nodes = {1500, 6000};
    options.envs = {1, 16};
    options.rounds = 5;
    options.steps = 3;
  }
  if (words.nodes) options.nodes = *words.nodes;
  if (words.envs) options.envs = *words.envs;
  if (words.rounds) options.rounds = *words.rounds;
  if (words.steps) options.steps = *words.steps;
  options.precisions.clear();
  for (const std::string& name : words.precisions)
    options.precisions.push_back(parse_word<Precision>(name, "--precision"));
  if (words.backend != "cpu" && words.backend != "cuda" && words.backend != "all")
    throw_bad_value("--backend", words.backend, "cpu, cuda or all", "");
  if (words.backend == "cpu") options.backends = {Backend::cpu};
  if (words.backend == "cuda") options.backends = {Backend::cuda};
  options.validate();
  std::string no_device;
  if (words.backend == "cuda" && !device_available(&no_device))
    throw_bad_value("--backend", words.backend, "cpu or all here", no_device);
  return options;
}

/// True if a case runs on the GPU; then applies --loop and --device.
bool takes_device(const BenchWords& words, ExecutionOptions* execution) {
  std::string reason = "--backend cpu";
  const bool on_device = words.backend != "cpu" && device_available(&reason);
  if (on_device)
    words.device.apply(execution);
  else
    words.device.require_unused(reason);
  return on_device;
}

Json where_json() {
  const Machine machine = this_machine();
  Json devices = Json::array();
  for (int i = 0; i < device_count(); ++i) devices.push_back(describe_device(i).name);
  return {{"format", "nodia_bench"},
          {"format_version", 1},
          {"version", kVersion},
          {"commit", kCommit},
          {"compiler", kCompiler},
          {"machine", {{"cpu", machine.cpu}, {"cores", machine.cores}, {"os", machine.os}}},
          {"cpu_kernels", name_of(chosen_isa())},
          {"devices", devices}};
}

/// Time of a call, or of the set-up of a batch.
std::string shown_us(const Row& row) {
  const Row& us = row.at("us_per_iteration");
  return shown(studies::is_known(us) ? us : row.at("set_up_us_per_env"), "{:.2f}");
}

Columns<Row> bench_columns() {
  using enum Align;
  return {shows("case", left, 21, "case"),
          shows("where", left, 5, "backend"),
          shows("nodes", right, 8, "n_node"),
          shows("envs", right, 5, "n_env"),
          shows("prec.", left, 7, "precision"),
          shows("th.", right, 3, "threads"),
          shows("format", left, 13, "format"),
          {"us", right, 11, "", shown_us},
          shows("/eigen", right, 7, "ratio_to_eigen_csr", "{:.3f}"),
          shows("/copy", right, 6, "share_of_copy_bandwidth", "{:.2f}"),
          shows("x read", right, 6, "ratio_to_read_time", "{:.2f}"),
          shows("GB/s", right, 7, "gb_per_s", "{:.1f}"),
          shows("/own", right, 6, "ratio_to_own_product", "{:.2f}"),
          shows("step ms", right, 9, "step_ms", "{:.2f}"),
          shows("env-st./s", right, 10, "env_steps_per_s", "{:.1f}"),
          shows("/solve", right, 6, "step_over_solve", "{:.3f}"),
          shows("speed-up", right, 8, "speedup_over_serial", "{:.2f}"),
          shows("error", right, 8, "error_vs_double", "{:.1e}"),
          shows("floor", right, 6, "floor_ended_share", "{:.2f}")};
}

/// Prints one line, and a flush: the line stays if the process is killed afterwards.
void print_json_line(const char* kind, const Json& content) {
  fmt::print("{}\n", Json{{kind, content}}.dump());
  std::fflush(stdout);
}

void print_skip(const Row& skip) {
  fmt::print("{:<21} {:<5} {:>8} {:>5} not measured: {}\n", shown(skip.at("case")),
             shown(skip.at("backend")), shown(skip.at("n_node")), shown(skip.at("n_env")),
             shown(skip.at("reason")));
}

void write_files(const std::string& path, const Json& root) {
  CsvFile csv(path + ".csv", studies::csv_names(studies::empty_row(studies::bench_fields())));
  for (const Row& row : root["rows"]) csv.write(studies::csv_cells(row));
  replace_file(path + ".json", root.dump(2) + "\n");
}

int bench(const BenchWords& words) {
  if (words.json && words.json_lines)
    throw InputError("--json-lines: not with --json (must be one of them)");
  catch_interrupts();
  studies::BenchOptions options = resolve(words);
  Scenario scenario = load_scenario(words.scenario.empty()
                                        ? source_directory() + "/scenarios/soft_mat/soft_mat.yaml"
                                        : words.scenario);
  // Iterations, precisions and backends are those of COND.
  if (scenario.solver.solver == kAutomaticName) scenario.solver.solver = "cond";
  ExecutionOptions* const execution = &scenario.solver.execution;
  std::optional<DeviceScope> device;
  if (takes_device(words, execution)) device.emplace(execution->device);
  options.nodes = studies::refinement_sizes(scenario.scene, options.nodes);
  const std::string task = source_directory() + "/scenarios/quick_lift/quick_lift.yaml";
  std::optional<OutputFolder> folder;
  if (!words.directory.empty())
    folder.emplace(
        words.overwrite.open_folder(words.directory, study_files("bench", "case,", "nodia_bench")));
  const LeftByInterrupts leaving(folder ? &*folder : nullptr);

  Json root = where_json();
  root["scenario"] = scenario.scene.name;
  const bool table = !words.json && !words.json_lines;
  if (words.json_lines) print_json_line("where", root);
  root["rows"] = Json::array();
  root["skipped"] = Json::array();
  const Columns<Row> columns = bench_columns();
  if (table) print_header(columns, kRowGap);
  bool whole = true;
  try {
    studies::bench(scenario, task, options,
                   {[&](const Row& row) {
                      if (interrupted()) throw Interrupted();
                      root["rows"].push_back(row);
                      if (words.json_lines) print_json_line("row", row);
                      if (table) print_row(columns, row, kRowGap);
                    },
                    [&](const Row& skip) {
                      root["skipped"].push_back(skip);
                      if (words.json_lines) print_json_line("skip", skip);
                      if (table) print_skip(skip);
                    }});
  } catch (const Interrupted&) {
    whole = false;
    spdlog::warn("interrupted: the {} rows that were measured are kept", root["rows"].size());
  }
  const int code = whole ? kGood : kInterrupted;
  if (words.json) fmt::print("{}\n", root.dump(2));
  if (words.json_lines) print_json_line("end", {{"rows", root["rows"].size()}});
  if (!folder) return code;
  const std::string file = folder->path() + "/bench";
  write_files(file, root);
  if (whole) run_python_module("nodia_tools.plot_bench", {file + ".csv", file + ".png"});
  if (table)
    fmt::print(
        "written to {0}.csv{1}\n", file,
        whole ? fmt::format(", {0}.json and {0}.png", file) : fmt::format(" and {}.json", file));
  return code;
}

}  // namespace

Action declare_bench(CLI::App& app) {
  const auto words = std::make_shared<BenchWords>();
  app.add_option("scenario", words->scenario,
                 "scenario whose first soft body is refined; solved by cond unless the scenario "
                 "names a solver (default: the soft mat)")
      ->type_name("SCENARIO.yaml");
  app.add_option("--nodes", words->nodes, "comma-separated node counts (default 1500,15000,150000)")
      ->delimiter(',');
  app.add_option("--envs", words->envs, "comma-separated numbers of environments (default 1,64)")
      ->delimiter(',');
  app.add_option("--cases", words->bench.cases, "comma-separated cases to measure")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--backend", words->backend, "processors to measure; cuda: the GPU only")
      ->type_name("cpu|cuda|all")
      ->capture_default_str();
  declare(app, &words->device);
  app.add_option("--precision", words->precisions,
                 "comma-separated precisions of the matrix and the iteration")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option(
         "--threads", words->bench.threads,
         "comma-separated numbers of threads; 0: chosen from the problem size and the machine")
      ->delimiter(',')
      ->capture_default_str();
  words->thread_cap.declare(app);
  app.add_option("--batch-nodes", words->bench.batch_nodes,
                 fmt::format("largest batch to measure, in nodes of all environments together "
                             "(default {} on the CPU, {} on the GPU)",
                             studies::kBatchNodes, studies::kBatchNodesOnDevice))
      ->check(CLI::PositiveNumber);
  app.add_option("--rounds", words->rounds, "repetitions of kernels and iterations (default 9)");
  app.add_option("--steps", words->steps, "number of whole steps to measure (default 5)");
  app.add_flag("--quick", words->quick, "small sizes and few repetitions; takes about a minute");
  app.add_option("--out", words->directory, "directory of bench.csv, bench.json and bench.png")
      ->type_name("DIR");
  words->overwrite.declare(app, kReplacesStudy);
  app.add_flag("--json", words->json, "print one JSON object on stdout, messages on stderr");
  app.add_flag(
      "--json-lines", words->json_lines,
      "print one JSON object per line as soon as it is known: where, row, skip, and finally end");
  return [words] { return bench(*words); };
}

}  // namespace nodia::cli
