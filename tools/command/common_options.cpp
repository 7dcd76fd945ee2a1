#include "tools/command/common_options.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>

#include "host/scene/limits.hpp"
#include "kernels/core/error.hpp"

namespace nodia::cli {
namespace {

/// `key=value` and not the name of a file.
bool is_setting(const std::string& word) {
  return word.find('=') != std::string::npos && !std::filesystem::exists(word);
}

void declare(CLI::App& app, const std::vector<BackendOption>& options) {
  for (const BackendOption& option : options) {
    const std::string name = std::string("--") + option.name;
    if (const auto* number = std::get_if<std::optional<int>*>(&option.value))
      app.add_option(name, **number, option.meaning)->type_name(option.values);
    else
      app.add_option(name, *std::get<std::string*>(option.value), option.meaning)
          ->type_name(option.values)
          ->capture_default_str();
  }
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
                 "change a value of the scenario, e.g. time.step_s=0.005; can be repeated; paths "
                 "are relative to the working directory")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app.add_option("--seed", seed,
                 "seed of the scenario's random values; environment e of a batch uses seed + e")
      ->type_name("N");
  app.add_option("--episode", episode,
                 "sample the random values of episode K of the seed; different (seed, episode) "
                 "pairs have independent values (default: the scenario's episode, else 0)")
      ->type_name("K");
  app.add_option("--steps", steps, "number of time steps, instead of the scenario's duration")
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

void declare(CLI::App& app, DeviceRequest* request) {
  declare(app, options_of(request));
}

void declare(CLI::App& app, BackendRequest* request) {
  declare(app, options_of(request));
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
