/// `nodia info`: build of this binary, and the devices, solvers and libraries that it can use.
#include <fmt/format.h>
#include <omp.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "host/io/machine.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/linear/options.hpp"
#include "kernels/core/error.hpp"
#include "kernels/cpu/isa.hpp"
#include "kernels/device/device.hpp"
#include "scenarios/build/memory_need.hpp"
#include "scenarios/build/scenario.hpp"
#include "tools/cli/robot_info.hpp"
#include "tools/cli/verbs.hpp"
#include "tools/command/build_info.hpp"
#include "tools/command/common_options.hpp"
#include "tools/command/scenario_catalogue.hpp"

namespace nodia::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ScenarioArguments {
  std::string path;
  std::vector<std::string> settings;
  int n_env = 1;
};

/// Names of the CUDA devices. @param reason  out: why there are none
std::vector<std::string> devices(std::string* reason) {
  std::vector<std::string> list;
  if (!device_available(reason)) return list;
  for (int i = 0; i < device_count(); ++i) list.push_back(describe_device(i).name);
  return list;
}

Json info_json() {
  const Machine machine = this_machine();
  Json solvers = Json::array();
  for (const SolverEntry& entry : solver_catalogue())
    solvers.push_back({{"name", entry.name}, {"description", entry.description}});
  for (const StepperEntry& entry : stepper_catalogue())
    solvers.push_back({{"name", entry.name}, {"description", entry.description}});
  std::string no_device;
  const std::vector<std::string> device_list = devices(&no_device);
  Json libraries = Json::object();
  for (const auto& [name, version] : library_versions()) libraries[name] = version;
  return {
      {"format", "nodia_info"},
      {"format_version", 1},
      {"version", kVersion},
      {"commit", kCommit},
      {"compiler", kCompiler},
      {"build_type", kBuildType},
      {"march", kArch},
      {"backends", is_built_with_cuda() ? Json::array({"cpu", "cuda"}) : Json::array({"cpu"})},
      {"cpu_kernels", name_of(chosen_isa())},
      {"cuda_compiled", is_built_with_cuda()},
      {"devices", device_list},
      {"no_device_because", no_device},
      {"cholmod", is_available(Factoriser::cholmod)},
      {"openmp_threads", omp_get_max_threads()},
      {"solvers", solvers},
      {"libraries", libraries},
      {"machine", {{"cpu", machine.cpu}, {"cores", machine.cores}, {"os", machine.os}}},
  };
}

void print_fact(const char* name, const std::string& value) {
  fmt::print("{:<12} {}\n", name, value);
}

void print_build() {
  const Machine machine = this_machine();
  print_fact("nodia", fmt::format("{} (commit {})", kVersion, kCommit));
  print_fact("compiler",
             fmt::format("{}, {}, -march={}", kCompiler, kBuildType, *kArch ? kArch : "(default)"));
  print_fact("backends", is_built_with_cuda() ? "cpu, cuda" : "cpu");
  print_fact("CPU kernels", name_of(chosen_isa()));
  print_fact("CUDA side", is_built_with_cuda() ? "compiled" : "not compiled");
  std::string no_device;
  const std::vector<std::string> device_list = devices(&no_device);
  print_fact("devices", device_list.empty() ? "none: " + no_device
                                            : fmt::format("{}", fmt::join(device_list, ", ")));
  print_fact("CHOLMOD", is_available(Factoriser::cholmod) ? "yes" : "no");
  print_fact("machine", fmt::format("{}, {} cores, {}", machine.cpu, machine.cores, machine.os));
  print_fact("threads", fmt::format("{} (OpenMP)", omp_get_max_threads()));
  for (const SolverEntry& entry : solver_catalogue())
    print_fact(&entry == &solver_catalogue().front() ? "solvers" : "",
               fmt::format("{:<10} {}", entry.name, entry.description));
  for (const StepperEntry& entry : stepper_catalogue())
    print_fact("", fmt::format("{:<10} {}", entry.name, entry.description));
  for (const auto& library : library_versions())
    print_fact(&library == &library_versions().front() ? "libraries" : "",
               fmt::format("{} {}", library.first, library.second));
}

/// Reports the memory of a scenario, or the content of a URDF file.
int tell_scenario(const ScenarioArguments& arguments, bool json) {
  if (arguments.path.ends_with(".urdf")) {
    print_robot(arguments.path, arguments.settings, json);
    return kGood;
  }
  std::vector<std::string> overrides = arguments.settings;
  overrides.emplace_back("environments=1");
  overrides.emplace_back("output.record_envs=0");
  const Scenario scenario = load_scenario(scenario_path(arguments.path), overrides);
  const MemoryNeed need = memory_need(scenario, arguments.n_env, 1);
  if (json) {
    fmt::print("{}\n", Json{{"format", "nodia_info_scenario"},
                            {"format_version", 1},
                            {"scenario", scenario.scene.name},
                            {"environments", need.n_env},
                            {"environment_bytes", need.environment_bytes},
                            {"memory_bytes", need.total_bytes},
                            {"available_bytes", need.available_bytes}}
                           .dump(2));
    return kGood;
  }
  print_fact("scenario", scenario.scene.name);
  print_fact("memory",
             fmt::format("about {} for {} environment{}, {} each; {} are free",
                         shown_bytes(need.total_bytes), need.n_env, need.n_env == 1 ? "" : "s",
                         shown_bytes(need.environment_bytes), shown_bytes(need.available_bytes)));
  if (need.total_bytes > need.available_bytes)
    print_fact("", "nodia run refuses it: there is less memory than that");
  return kGood;
}

}  // namespace

Action declare_info(CLI::App& app) {
  const auto json = std::make_shared<bool>(false);
  const auto scenario = std::make_shared<ScenarioArguments>();
  app.add_option(
         "scenario", scenario->path,
         "a scenario, whose memory is estimated, or a URDF file, whose links and joints are "
         "listed")
      ->type_name("SCENARIO|ROBOT.urdf");
  app.add_option("--envs", scenario->n_env,
                 "number of environments, the first of which is recorded")
      ->type_name("N")
      ->check(CLI::Range(1, kMaxEnvironments).description(""));
  declare_settings(app, &scenario->settings);
  app.add_flag("--json", *json, "print one JSON object on stdout");
  return [json, scenario] {
    if (!scenario->path.empty()) return tell_scenario(*scenario, *json);
    if (scenario->n_env != 1 || !scenario->settings.empty())
      throw InputError("--envs and --set go with a scenario (nodia info SCENARIO.yaml --envs 64)");
    if (*json)
      fmt::print("{}\n", info_json().dump(2));
    else
      print_build();
    return int{kGood};
  };
}

}  // namespace nodia::cli
