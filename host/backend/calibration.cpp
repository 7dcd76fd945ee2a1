#include "host/backend/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "host/io/build_id.hpp"
#include "host/io/machine.hpp"
#include "host/solvers/cond/options.hpp"
#include "kernels/core/error.hpp"
#include "kernels/cpu/isa.hpp"
#include "kernels/device/device.hpp"

namespace nodia {
namespace {

/// Rows of an object's bodies.
int rows_of(const SoftBodyDescription& body) {
  return static_cast<int>(body.mesh.nodes.size());
}
int rows_of(const CableDescription& cable) {
  return kLinkRows * cable.links;
}
int rows_of(const RobotSceneDescription& robot) {
  return static_cast<int>(robot.robot.links.size() + 2) / 3;
}
int rows_of(const RigidDescription&) {
  return kLinkRows;
}
int rows_of(const ObstacleDescription&) {
  return 0;
}

bool uses_barzilai_borwein(const SolverOptions& options) {
  return is_barzilai_borwein(options.of<CondOptions>().w);
}

std::string cuda_version(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

/// Logarithms of the four times, so that powers are lines.
using LogTimes = std::array<double, 4>;

LogTimes log_times(const CalibrationPoint& p) {
  return {std::log(p.cpu.whole), std::log(p.cpu.brief), std::log(p.cuda.whole),
          std::log(p.cuda.brief)};
}

/// @param curve  by the logarithm of a size; not empty
LogTimes at(const std::map<double, LogTimes>& curve, double log_size) {
  const auto above = curve.lower_bound(log_size);
  if (above == curve.begin()) {
    const double smaller = log_size - above->first;
    LogTimes t = above->second;
    t[0] += smaller;
    t[1] += smaller;
    return t;
  }
  const auto below = std::prev(above);
  LogTimes t = below->second;
  if (above == curve.end()) {
    for (double& time : t) time += log_size - below->first;
    return t;
  }
  const double share = (log_size - below->first) / (above->first - below->first);
  for (std::size_t k = 0; k < t.size(); ++k) t[k] += share * (above->second[k] - t[k]);
  return t;
}

}  // namespace

Workload workload_of(const Scene& scene, int n_env, const SolverOptions& options) {
  Workload w;
  w.n_env = n_env;
  w.precision = options.execution.precision;
  visit_objects(scene, [&](ObjectKind, const char*, const auto& objects) {
    for (const auto& object : objects) w.n_row += rows_of(object);
  });
  const auto meets_itself = [](const SoftBodyDescription& body) { return body.self_contact; };
  if (!scene.cables.empty())
    w.loop = LoopKind::chains;
  else if (!scene.rigid_bodies.empty() || !scene.compounds.empty() || !scene.robots.empty() ||
           scene.soft_bodies.size() > 1 || uses_barzilai_borwein(options) ||
           std::any_of(scene.soft_bodies.begin(), scene.soft_bodies.end(), meets_itself))
    w.loop = LoopKind::phases;
  return w;
}

Workload workload_of(const ContactProblem& problem, const SolverOptions& options) {
  Workload w;
  w.n_env = std::max(1, problem.n_env());
  w.n_row = problem.n_node() / w.n_env;
  w.precision = options.execution.precision;
  const auto couples = [](const Contact<double>& c) { return c.side_j != kWorld; };
  if (problem.points.size() > 0 || uses_barzilai_borwein(options) ||
      std::any_of(problem.contacts.begin(), problem.contacts.end(), couples))
    w.loop = LoopKind::phases;
  for (const auto& topology : problem.topology)
    for (const Body& body : topology->bodies) {
      if (body.kind == BodyKind::chain) w.loop = LoopKind::chains;
      if (is_dense(body.kind) && w.loop == LoopKind::one_pass) w.loop = LoopKind::phases;
    }
  return w;
}

CalibrationKey calibration_key(int device) {
  const DeviceDescription there = describe_device(device);
  const Machine machine = this_machine();
  return {there.name,
          fmt::format("driver for CUDA {}, toolkit {}", cuda_version(there.driver),
                      cuda_version(there.toolkit)),
          fmt::format("{}, {} cores, {}", machine.cpu, machine.cores, name_of(chosen_isa())),
          build_id()};
}

void Calibration::validate() const {
  std::map<std::tuple<LoopKind, Precision, int, int>, int> seen;
  for (const CalibrationPoint& p : points) {
    const Workload& w = p.workload;
    require(w.n_row >= 1, "n_row", w.n_row, ">= 1", "");
    require(w.n_env >= 1, "n_env", w.n_env, ">= 1", "");
    for (const double time : {p.cpu.whole, p.cpu.brief, p.cuda.whole, p.cuda.brief})
      require(time > 0 && std::isfinite(time), "time", time, "> 0 and finite", "");
    if (seen[{w.loop, w.precision, w.n_row, w.n_env}]++ > 0)
      throw_bad_value("n_row", w.n_row, "of another size than the points before", "");
  }
}

std::optional<CalibrationPoint> predict(const Calibration& calibration, const Workload& workload) {
  std::map<int, std::map<double, LogTimes>> by_rows;  // of each n_env
  for (const CalibrationPoint& p : calibration.points)
    if (p.workload.loop == workload.loop && p.workload.precision == workload.precision)
      by_rows[p.workload.n_env][std::log(p.workload.n_row)] = log_times(p);
  if (by_rows.empty()) return {};
  std::map<double, LogTimes> by_environments;
  for (const auto& [n_env, curve] : by_rows)
    by_environments[std::log(n_env)] = at(curve, std::log(std::max(1, workload.n_row)));
  const LogTimes t = at(by_environments, std::log(workload.n_env));
  return CalibrationPoint{
      workload, {std::exp(t[0]), std::exp(t[1])}, {std::exp(t[2]), std::exp(t[3])}};
}

BackendChoice choose_backend(const Calibration& calibration, const Workload& workload) {
  const std::optional<CalibrationPoint> p = predict(calibration, workload);
  if (!p)
    return {Backend::cpu, fmt::format("the calibration has no steps of the loop {} in {} precision "
                                      "(nodia bench --calibrate measures them)",
                                      name_of(workload.loop), name_of(workload.precision))};
  const auto told = [](const char* what, double cuda, double cpu) {
    return fmt::format(
        "{} of this size is predicted to take {:.3g} ms on the device, {:.3g} ms on "
        "the CPU",
        what, cuda, cpu);
  };
  if (p->cuda.whole <= p->cpu.whole && p->cuda.brief > kMostBriefRatio * p->cpu.brief)
    return {Backend::cpu, told("a step of few iterations", p->cuda.brief, p->cpu.brief)};
  return {p->cuda.whole <= p->cpu.whole ? Backend::cuda : Backend::cpu,
          told("a step", p->cuda.whole, p->cpu.whole)};
}

}  // namespace nodia
