#include "host/backend/measured_devices.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nodia {
namespace {

/// The number with a comma between groups of three digits.
std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string size_of(const Workload& workload) {
  const std::string rows = grouped(workload.n_row) + " rows";
  return workload.n_env == 1 ? rows : fmt::format("{} in {} environments", rows, workload.n_env);
}

}  // namespace

bool is_measured(const std::string& solver) {
  return std::any_of(std::begin(kMeasuredDevices), std::end(kMeasuredDevices),
                     [&](const MeasuredDevice& row) { return solver == row.solver; });
}

Workload workload_of(const Scene& scene, int n_env) {
  Workload workload;
  workload.n_env = n_env;
  for (const SoftBodyDescription& body : scene.soft_bodies)
    workload.n_row += static_cast<std::int64_t>(body.mesh.nodes.size()) * n_env;
  workload.only_soft_bodies = scene.rigid_bodies.empty() && scene.cables.empty() &&
                              scene.compounds.empty() && scene.robots.empty();
  return workload;
}

Workload workload_of(const ContactProblem& problem) {
  Workload workload{problem.n_node(), problem.n_env(), true};
  for (const auto& topology : problem.topology)
    for (const Body& body : topology->bodies)
      workload.only_soft_bodies = workload.only_soft_bodies && body.kind == BodyKind::soft;
  return workload;
}

BackendChoice choose_backend(const std::string& device, const std::string& solver,
                             const Workload& workload) {
  const auto* const row = std::find_if(
      std::begin(kMeasuredDevices), std::end(kMeasuredDevices),
      [&](const MeasuredDevice& each) { return device == each.device && solver == each.solver; });
  if (row == std::end(kMeasuredDevices))
    return {Backend::cpu,
            fmt::format("docs/gpu.md has no measurement of {} on {}", solver, device)};
  if (!workload.only_soft_bodies)
    return {Backend::cpu, fmt::format("docs/gpu.md has measurements of {} on {} only in scenes of "
                                      "soft bodies and obstacles",
                                      solver, device)};
  const bool is_large = workload.n_row >= row->n_row;
  return {is_large ? Backend::cuda : Backend::cpu,
          fmt::format("{} are {} {}, from which {} is faster on {} (docs/{})", size_of(workload),
                      is_large ? "at least" : "fewer than", grouped(row->n_row), solver, device,
                      is_large ? row->results : "gpu.md")};
}

}  // namespace nodia
