#include "tools/command/common_options.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <charconv>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <variant>

#include "host/scene/limits.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/key.hpp"
#include "scenarios/build/document.hpp"
#include "scenarios/task/steps_in.hpp"
#include "tools/command/scenario_catalogue.hpp"

namespace nodia::cli {
namespace {

/// True for `key=value` if no file has this name.
bool is_setting(const std::string& word) {
  return word.find('=') != std::string::npos && !std::filesystem::exists(word);
}

void declare(CLI::App& app, const std::vector<BackendOption>& options) {
  for (const BackendOption& option : options) {
    const std::string name = std::string("--") + option.name;
    if (const auto* number = std::get_if<std::optional<int>*>(&option.value))
      app.add_option(name, **number, option.meaning)->type_name(option.values)->group("Processor");
    else
      app.add_option(name, *std::get<std::string*>(option.value), option.meaning)
          ->type_name(option.values)
          ->capture_default_str()
          ->group("Processor");
  }
}

/// True for a check at one time whose time is absent: it is evaluated at the end of the run.
bool is_at_the_end(const CheckDescription& check) {
  return std::visit(
      [](const auto& kind) {
        if constexpr (requires { kind.at_s.has_value(); })
          return !kind.at_s;
        else
          return false;
      },
      check.kind);
}

/// Settings for a run of `steps` time steps. They set the duration, so the resolved scenario
/// contains it. If the run becomes shorter, checks at its end keep their old time and are not
/// reached.
std::vector<std::string> settings_of_steps(const std::string& file,
                                           const std::vector<std::string>& overrides, int steps) {
  const ScenarioDocument document = ScenarioSource(read_yaml_file(file), overrides).document();
  const double duration_s = steps * document.time.step_s;
  std::vector<std::string> settings = {fmt::format("time.duration_s={}", duration_s)};
  if (duration_s >= document.time.duration_s * (1 - 1e-9)) return settings;
  for (const CheckDescription& check : document.checks)
    if (is_at_the_end(check))
      settings.push_back(fmt::format("checks.{}.at_s={}", check.name, document.time.duration_s));
  return settings;
}

}  // namespace

void require_whole_number(const char* option, const std::string& text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end)
    throw_bad_value(option, text, "a whole number from 0 to 18446744073709551615", "");
}

void declare_settings(CLI::App& app, std::vector<std::string>* settings) {
  app.add_option("--set", *settings,
                 "change a value of the scenario, e.g. time.step_s=0.005; can be repeated; paths "
                 "are relative to the working directory")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  const auto add_package = [settings](const std::string& word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
      throw InputError(fmt::format("--package {} (must be NAME=FOLDER)", word));
    settings->push_back(fmt::format("packages.{}={}", key_word(word.substr(0, equals)),
                                    nlohmann::json(word.substr(equals + 1)).dump()));
  };
  app.add_option_function<std::vector<std::string>>(
         "--package",
         [add_package](const std::vector<std::string>& all) {
           for (const std::string& word : all) add_package(word);
         },
         "folder of a package that a URDF file names in package://NAME/FILE; can be repeated")
      ->type_name("NAME=FOLDER")
      ->allow_extra_args(false);
}

void ScenarioOptions::declare(CLI::App& app) {
  app.add_option("scenario", words, "scenario file, or a name of nodia list")
      ->required()
      ->type_name("SCENARIO");
  declare_settings(app, &settings);
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
  if (!path) throw InputError("a scenario file or name is missing (nodia list has the names)");
  const std::string file = scenario_path(*path);
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
    for (const std::string& setting : settings_of_steps(file, overrides, *steps))
      overrides.push_back(setting);
  }
  return {file, overrides};
}

Scenario ScenarioOptions::load() const {
  const Request r = request();
  Scenario scenario = load_scenario(r.path, r.overrides);
  solver.thread_cap.apply(&scenario.solver.execution.threads);
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
  const double count = steps_in(time.duration_s, time.step_s);
  require(count <= kMaxSteps, "time.duration_s", time.duration_s,
          fmt::format("at most {} steps", kMaxSteps),
          "make time.step_s larger or the duration shorter");
  return std::max(1, static_cast<int>(count));
}

}  // namespace nodia::cli
