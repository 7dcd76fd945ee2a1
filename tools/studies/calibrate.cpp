#include "tools/studies/calibrate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "fem/mesh/meshers.hpp"
#include "host/simulation/simulation.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/stopwatch.hpp"
#include "kernels/device/device.hpp"
#include "tools/compare/median.hpp"

namespace nodia::studies {
namespace {

struct Size {
  int n_row, n_env;
  bool quick;
};
constexpr Size kSizes[] = {{100, 1, true},    {100, 16, true},   {1000, 1, true},
                           {10000, 1, false}, {100, 128, false}, {1000, 16, false},
                           {30000, 1, false}, {1000, 64, false}};
/// Of one cable: longer ones are not what scenes have.
constexpr int kMostChainRows = 1000;

constexpr double kThickness_m = 0.006, kGap_m = 5e-4;
constexpr Vec3d kSlide_m_s{0.3, 0, 0};

/// A mat that slides over a floor; in phases with a block that slides on it.
Scene mat_scene(bool with_block, int n_row) {
  constexpr double kSide_m = 0.3;
  Scene scene;
  scene.name = "calibration";
  SoftBodyDescription mat;
  mat.name = "mat";
  mat.mesh = mesh_mat({kSide_m, kSide_m, kThickness_m}, n_row);
  mat.pose.position = {0, 0, kGap_m};
  mat.velocity = kSlide_m_s;
  scene.soft_bodies.push_back(std::move(mat));
  ObstacleDescription floor;
  floor.name = "floor";
  floor.shape.kind = ShapeKind::half_space;
  scene.obstacles.push_back(floor);
  if (!with_block) return scene;
  RigidBodyDescription block;
  block.name = "block";
  block.shape.kind = ShapeKind::box;
  block.shape.size = {0.1, 0.1, 0.02};
  block.mass_kg = 0.1;
  block.inertia_kg_m2 = solid_inertia(block.shape, block.mass_kg);
  block.pose.position = {kSide_m / 2, kSide_m / 2,
                         kThickness_m + 2 * kGap_m + block.shape.size.z / 2};
  scene.rigid_bodies.push_back(block);
  return scene;
}

/// A cable that falls over a cylinder.
Scene cable_scene(int n_row) {
  constexpr double kLength_m = 0.4, kRadius_m = 0.02;
  Scene scene;
  scene.name = "calibration";
  CableDescription cable;
  cable.name = "cable";
  cable.links = std::max(1, n_row / kLinkRows);
  cable.points_m = {{-kLength_m / 2, 0, cable.radius_m + kGap_m},
                    {kLength_m / 2, 0, cable.radius_m + kGap_m}};
  scene.cables.push_back(std::move(cable));
  ObstacleDescription cylinder;
  cylinder.name = "cylinder";
  cylinder.shape.kind = ShapeKind::cylinder;
  cylinder.shape.radius = kRadius_m;
  cylinder.shape.length = kLength_m;
  cylinder.path.keys = {{0, {0, 0, -kRadius_m}, {1, 1, 0, 0}}};  // z along -y
  scene.obstacles.push_back(std::move(cylinder));
  return scene;
}

Scene scene_of(LoopKind loop, int n_row) {
  return loop == LoopKind::chains ? cable_scene(n_row) : mat_scene(loop == LoopKind::phases, n_row);
}

/// Median of some steps, by the clock of the host [ms].
double step_ms(const Scene& scene, int n_env, const SolverOptions& solver) {
  constexpr int kLeadSteps = 2, kFewest = 3, kMost = 25;
  constexpr double kEnough_s = 0.02;
  Simulation simulation(std::vector<Scene>(static_cast<std::size_t>(n_env), scene), solver);
  for (int k = 0; k < kLeadSteps; ++k) simulation.step();
  std::vector<double> ms;
  const Stopwatch all;
  while (ms.size() < kFewest || (ms.size() < kMost && all.seconds() < kEnough_s)) {
    const Stopwatch one;
    simulation.step();
    ms.push_back(one.milliseconds());
  }
  if (simulation.failed(0)) throw RuntimeError("the steps did not come to an end");
  return median(std::move(ms));
}

StepTimes step_times(const Scene& scene, int n_env, SolverOptions solver) {
  StepTimes times;
  solver.max_iterations = kMostIterations;
  times.whole = step_ms(scene, n_env, solver);
  solver.max_iterations = kBriefIterations;
  times.brief = step_ms(scene, n_env, solver);
  return times;
}

CalibrationPoint measure(const Scene& scene, const Workload& workload, SolverOptions solver) {
  CalibrationPoint point{workload, {}, {}};
  solver.execution.precision = workload.precision;
  solver.execution.backend = Backend::cuda;
  point.cuda = step_times(scene, workload.n_env, solver);
  solver.execution.backend = Backend::cpu;
  point.cpu = step_times(scene, workload.n_env, solver);
  return point;
}

/// What a size costs, from one before: iterations grow with the cube root of a mesh.
double guess_s(double before_s, const Workload& before, const Workload& now) {
  const double rows = static_cast<double>(now.n_row) / before.n_row;
  return before_s * rows * std::cbrt(rows) * now.n_env / before.n_env;
}

}  // namespace

Calibration calibrate(const ExecutionOptions& on_device, const CalibrationOptions& options,
                      const CalibrationListener& listener) {
  struct Cost {
    Workload workload;
    double s = 0;
  };
  std::map<std::pair<LoopKind, Precision>, Cost> last;
  Calibration calibration{calibration_key(on_device.device), {}};
  SolverOptions solver;
  solver.solver = "cond";
  solver.execution = on_device;
  solver.execution.threads = options.threads;
  const Stopwatch all;
  for (const Size& size : kSizes)
    for (const auto& [loop, name] : words_of(LoopKind{})) {
      if ((options.quick && !size.quick) ||
          (loop == LoopKind::chains && size.n_row > kMostChainRows))
        continue;
      const Scene scene = scene_of(loop, size.n_row);
      for (const auto& [precision, word] : words_of(Precision{})) {
        solver.execution.precision = precision;
        const Workload workload = workload_of(scene, size.n_env, solver);
        const auto before = last.find({loop, precision});
        if (!options.quick && before != last.end() &&
            all.seconds() + guess_s(before->second.s, before->second.workload, workload) >
                options.budget_s) {
          listener.skip(
              {workload, fmt::format("it would take longer than {:g} s in all", options.budget_s)});
          continue;
        }
        const Stopwatch watch;
        try {
          calibration.points.push_back(measure(scene, workload, solver));
        } catch (const RuntimeError& error) {
          if (device_is_lost()) throw;
          listener.skip({workload, error.what()});
          continue;
        }
        last[{loop, precision}] = {workload, watch.seconds()};
        listener.point(calibration.points.back());
      }
    }
  return calibration;
}

}  // namespace nodia::studies
