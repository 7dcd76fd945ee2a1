#include "tools/cli/common_options.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>

#include "host/scene/limits.hpp"
#include "host/solvers/cond/options.hpp"
#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"
#include "kernels/device/loop_launcher.hpp"
#include "tools/studies/calibration_file.hpp"

namespace nodia::cli {
namespace {

/// `key=value` and not the name of a file.
bool is_setting(const std::string& word) {
  return word.find('=') != std::string::npos && !std::filesystem::exists(word);
}

}  // namespace

void require_whole_number(const char* option, const std::string& text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end)
    throw_bad_value(option, text, "a whole number from 0 to 18446744073709551615", "");
}

void ScenarioOptions::declare(CLI::App& app) {
  app.add_option("scenario", words, "scenario file")->required()->type_name("SCENARIO.yaml");
  app.add_option("--set", settings,
                 "change a value of the scenario, e.g. time.step_s=0.005; may be repeated; a path "
                 "starts from the working directory")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app.add_option("--seed", seed,
                 "draw the scenario's random values with this seed; environment e of a batch with "
                 "seed + e")
      ->type_name("N");
  app.add_option(
         "--episode", episode,
         "of the seed: draw the values of its episode K, which no other episode of any seed "
         "has; without it the scenario's, else 0")
      ->type_name("K");
  app.add_option("--steps", steps, "time steps, in place of the scenario's duration")
      ->type_name("N")
      ->check(CLI::Range(1, kMaxSteps).description(""));
  solver.declare(app);
}

ScenarioOptions::Request ScenarioOptions::request(const std::vector<std::string>& more) const {
  std::vector<std::string> overrides = settings;
  std::optional<std::string> path;
  for (const std::string& word : words) {
    if (is_setting(word))
      overrides.push_back(word);
    else if (!path)
      path = word;
    else
      throw InputError(fmt::format(
          "{}: a second scenario (must be one file, and key=value behind --set)", word));
  }
  if (!path) throw InputError("a scenario file is missing");
  for (const std::string& setting : solver.settings()) overrides.push_back(setting);
  overrides.insert(overrides.end(), more.begin(), more.end());
  if (seed) {
    require_whole_number("--seed", *seed);
    overrides.push_back("seed=" + *seed);
  }
  if (episode) {
    require_whole_number("--episode", *episode);
    overrides.push_back("episode=" + *episode);
    overrides.emplace_back("attempt=0");
  }
  if (steps) {
    // The duration that so many steps have, so that the resolved scenario tells what ran.
    const double step_s = load_scenario(*path, overrides).scene.time.step_s;
    overrides.push_back(fmt::format("time.duration_s={}", *steps * step_s));
  }
  return {*path, overrides};
}

Scenario ScenarioOptions::load() const {
  const Request r = request();
  Scenario scenario = load_scenario(r.path, r.overrides);
  solver.thread_cap.apply(&scenario.solver.threads);
  return scenario;
}

void DeviceOptions::declare(CLI::App& app) {
  app.add_option("--loop", loop,
                 "on a device: how COND's loop runs there; as a graph of CUDA, as launches by the "
                 "host, which tools see one by one, or as launches that are checked one by one, so "
                 "that a fault names its kernel")
      ->type_name("auto|graph|launches|checked")
      ->capture_default_str();
  app.add_option("--product", product,
                 "on a device: who multiplies by A in COND's iterations; cuSPARSE where it is "
                 "installed, for comparison")
      ->type_name("ours|cusparse")
      ->capture_default_str();
  app.add_option("--device", device, "which CUDA device, from 0 (nodia info); without it the first")
      ->type_name("K");
}

std::optional<LoopLauncher> DeviceOptions::launcher() const {
  if (loop == "auto") return {};
  for (const auto& [launcher, word] : words_of(LoopLauncher{}))
    if (loop == word) return launcher;
  throw_bad_value("--loop", loop, "auto, graph, launches or checked", "");
}

void DeviceOptions::require_good() const {
  static_cast<void>(launcher());
  static_cast<void>(parse_word<Product>(product, "--product"));
  std::string no_device;
  if (!device) return;
  if (!device_available(&no_device))
    throw_bad_value("--device", *device, "left out here: " + no_device, "");
  require_device("--device", *device);
}

std::string DeviceOptions::apply(CondOptions* options) const {
  require_good();
  const std::optional<LoopLauncher> asked = launcher();
  std::string reason;
  options->product = parse_word<Product>(product, "--product");
  const bool by_library = options->product != Product::ours;
  if (by_library && asked == LoopLauncher::graph)
    throw_bad_value("--loop", loop, "launches or checked with --product " + product, "");
  if (asked == LoopLauncher::graph && !can_record_loops(&reason))
    throw_bad_value("--loop", loop, "auto, launches or checked here", reason);
  options->device = device.value_or(0);
  if (by_library && !asked) {
    options->loop = LoopLauncher::launches;
    return "--product " + product;
  }
  const ResolvedLoopLauncher resolved = nodia::resolve(asked);
  options->loop = resolved.launcher;
  return resolved.because;
}

void DeviceOptions::require_unused(const std::string& because) const {
  require_good();
  if (loop != "auto") throw_bad_value("--loop", loop, "left out on the CPU", because);
  if (device) throw_bad_value("--device", *device, "left out on the CPU", because);
  if (product != "ours") throw_bad_value("--product", product, "left out on the CPU", because);
}

void BackendOption::declare(CLI::App& app) {
  app.add_option("--backend", backend,
                 "where the contact solver's loop runs; auto: on a device where the calibration of "
                 "this machine (nodia bench --calibrate) predicts that it is not slower")
      ->type_name("auto|cpu|cuda")
      ->capture_default_str();
  device.declare(app);
}

ResolvedBackend BackendOption::resolve(const std::string& solver,
                                       const std::function<studies::Workload()>& workload,
                                       CondOptions* options) const {
  ResolvedBackend chosen = choose(solver, workload);
  options->backend = chosen.backend;
  if (chosen.backend == Backend::cuda)
    chosen.loop_because = device.apply(options);
  else if (chosen.had_a_choice)
    device.require_good();
  else
    device.require_unused(chosen.because.empty() ? "--backend cpu" : chosen.because);
  return chosen;
}

ResolvedBackend BackendOption::choose(const std::string& solver,
                                      const std::function<studies::Workload()>& workload) const {
  if (backend != "auto" && backend != "cpu" && backend != "cuda")
    throw_bad_value("--backend", backend, "auto, cpu or cuda", "");
  std::string no_device;
  const bool on_device = device_available(&no_device);
  if (backend == "cuda") {
    if (solver != "cond")
      throw_bad_value("--backend", backend, fmt::format("cpu or auto with solver {}", solver),
                      "of the solvers only cond runs on the device");
    if (!on_device)
      throw_bad_value("--backend", backend, fmt::format("cpu or auto here: {}", no_device),
                      "run on the CPU with --backend cpu");
    return {Backend::cuda, "", false, ""};
  }
  if (backend == "cpu") return {Backend::cpu, "", false, ""};
  if (solver != "cond")
    return {Backend::cpu, fmt::format("{} runs on the CPU only", solver), false, ""};
  if (!on_device) return {Backend::cpu, no_device, false, ""};
  device.require_good();
  const studies::FoundCalibration found =
      studies::find_calibration(studies::calibration_key(device.device.value_or(0)));
  if (!found.calibration) return {Backend::cpu, found.because, true, ""};
  const studies::BackendChoice choice = studies::choose_backend(*found.calibration, workload());
  return {choice.backend, choice.because, true, ""};
}

void limit_dense_threads(int threads) {
  if (threads > 0) Eigen::setNbThreads(threads);
}

int step_count(const TimeOptions& time) {
  const double count = std::ceil(time.duration_s / time.step_s * (1 - 1e-9));
  require(count <= kMaxSteps, "time.duration_s", time.duration_s,
          fmt::format("at most {} steps", kMaxSteps),
          "make time.step_s larger or the duration shorter");
  return std::max(1, static_cast<int>(count));
}

}  // namespace nodia::cli
