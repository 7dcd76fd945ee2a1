#include "host/backend/backend.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/solvers/automatic/automatic.hpp"
#include "host/solvers/newton/newton.hpp"
#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"
#include "kernels/device/loop_launcher.hpp"

namespace nodia {
namespace {

constexpr const char *kCond = "cond", *kNewton = "newton";

/// As it is written where options are given.
std::string given(const std::string& dashes, const std::string& name, const std::string& value) {
  return fmt::format("{}{} {}", dashes, name, value);
}

}  // namespace

std::optional<LoopLauncher> DeviceRequest::launcher() const {
  if (loop == "auto") return {};
  for (const auto& [launcher, word] : words_of(LoopLauncher{}))
    if (loop == word) return launcher;
  throw_bad_value(dashes + "loop", loop, "auto, graph, launches or checked", "");
}

void DeviceRequest::require_good() const {
  static_cast<void>(launcher());
  std::string no_device;
  if (!device) return;
  if (!device_available(&no_device))
    throw_bad_value(dashes + "device", *device, "left out here: " + no_device, "");
  require_device(dashes + "device", *device);
}

std::string DeviceRequest::apply(ExecutionOptions* execution) const {
  require_good();
  const std::optional<LoopLauncher> asked = launcher();
  std::string reason;
  if (asked == LoopLauncher::graph && !can_record_loops(&reason))
    throw_bad_value(dashes + "loop", loop, "auto, launches or checked here", reason);
  execution->device = device.value_or(0);
  const ResolvedLoopLauncher resolved = nodia::resolve(asked);
  execution->loop = resolved.launcher;
  return resolved.because;
}

void DeviceRequest::require_unused(const std::string& because) const {
  require_good();
  constexpr const char* kLeftOut = "left out on the CPU";
  if (loop != "auto") throw_bad_value(dashes + "loop", loop, kLeftOut, because);
  if (device) throw_bad_value(dashes + "device", *device, kLeftOut, because);
}

std::string ResolvedBackend::in_words() const {
  if (!had_a_choice && !declined) return "";
  return fmt::format("backend {}: {}: {}", declined ? "cuda" : "auto", name_of(backend), because);
}

namespace {

std::string newton_without_device_form(bool has_soft_body, bool has_cable,
                                       const SolverOptions& options) {
  if (options.of<NewtonOptions>().linear_solver == LinearSolver::direct)
    return "newton factorises on the CPU (solver.newton.linear_solver=auto takes multigrid)";
  if (!has_soft_body) return "newton without soft bodies factorises, which it does on the CPU";
  if (has_cable) return "newton eliminates along cables, which it does on the CPU";
  return "";
}

}  // namespace

std::string newton_without_device_form(const Scene& scene, const SolverOptions& options) {
  return newton_without_device_form(!scene.soft_bodies.empty(), !scene.cables.empty(), options);
}

std::string newton_without_device_form(const ContactProblem& problem,
                                       const SolverOptions& options) {
  if (problem.position.empty()) return "newton factorises problems whose rows have no known places";
  const auto has = [](BodyKind kind) {
    return [kind](const std::shared_ptr<const Topology>& environment) {
      return std::any_of(environment->bodies.begin(), environment->bodies.end(),
                         [kind](const Body& body) { return body.kind == kind; });
    };
  };
  const auto& all = problem.topology;
  return newton_without_device_form(std::all_of(all.begin(), all.end(), has(BodyKind::soft)),
                                    std::any_of(all.begin(), all.end(), has(BodyKind::chain)),
                                    options);
}

ResolvedBackend BackendRequest::resolve(const std::string& solver, const WorkToPlace& work,
                                        ExecutionOptions* execution) const {
  ResolvedBackend chosen = choose(solver, work);
  execution->backend = chosen.backend;
  if (chosen.backend == Backend::cuda)
    chosen.loop_because = device.apply(execution);
  else if (chosen.had_a_choice || chosen.declined)
    device.require_good();
  else
    device.require_unused(chosen.because.empty() ? given(device.dashes, "backend", "cpu")
                                                 : chosen.because);
  return chosen;
}

ResolvedBackend BackendRequest::resolve(const Scene& scene, int n_env,
                                        SolverOptions* options) const {
  std::string method = options->solver;
  if (method == kAutomaticName) method = suitable_solver({!scene.soft_bodies.empty()});
  return resolve(method,
                 {[&] { return workload_of(scene, n_env); },
                  [&] { return newton_without_device_form(scene, *options); }},
                 &options->execution);
}

ResolvedBackend BackendRequest::choose(const std::string& solver, const WorkToPlace& work) const {
  const std::string name = device.dashes + "backend";
  if (backend != "auto" && backend != "cpu" && backend != "cuda")
    throw_bad_value(name, backend, "auto, cpu or cuda", "");
  if (backend == "cpu") return {};
  if (solver != kCond && solver != kNewton) {
    if (backend == "cuda")
      throw_bad_value(name, backend, fmt::format("cpu or auto with solver {}", solver),
                      "of the solvers only cond and newton run on the device");
    return {Backend::cpu, fmt::format("{} runs on the CPU only", solver)};
  }
  if (backend == "auto" && !is_measured(solver))
    return {Backend::cpu,
            fmt::format("{0} runs on the GPU only with {1}; docs/gpu.md has no measurement of {0}",
                        solver, given(device.dashes, "backend", "cuda"))};
  std::string no_device;
  const bool on_device = device_available(&no_device);
  if (!on_device) {
    if (backend == "auto") return {Backend::cpu, no_device};
    throw_bad_value(name, backend, fmt::format("cpu or auto here: {}", no_device),
                    "run on the CPU with " + given(device.dashes, "backend", "cpu"));
  }
  const std::string without = solver == kNewton ? work.no_device_form() : "";
  if (!without.empty()) {
    ResolvedBackend on_cpu{Backend::cpu, without};
    on_cpu.declined = backend == "cuda";
    return on_cpu;
  }
  if (backend == "cuda") return {Backend::cuda};
  device.require_good();
  const BackendChoice choice =
      choose_backend(describe_device(device.device.value_or(0)).name, solver, work.workload());
  return {choice.backend, choice.because, true};
}

std::vector<BackendOption> options_of(DeviceRequest* request) {
  return {{"loop", "auto|graph|launches|checked",
           "how the GPU runs the solver's loops: graph: as a CUDA graph; launches: every kernel "
           "launched by the host, visible to profilers; checked: launches with a check after each, "
           "so that an error names its kernel",
           &request->loop},
          {"device", "K", "number of the CUDA device, from 0; nodia info lists them (default 0)",
           &request->device}};
}

std::vector<BackendOption> options_of(BackendRequest* request) {
  std::vector<BackendOption> all = options_of(&request->device);
  all.insert(
      all.begin(),
      {"backend", "auto|cpu|cuda",
       "processor that runs the contact solver, cond or newton; auto: the CPU, unless docs/gpu.md "
       "has a measurement of faster steps with this device, solver and size",
       &request->backend});
  return all;
}

}  // namespace nodia
