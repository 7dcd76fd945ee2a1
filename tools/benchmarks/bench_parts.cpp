/// The parts of a step on the CPU, except the solve.
#include <algorithm>
#include <memory>

#include "host/base/threads.hpp"
#include "host/collision/detection.hpp"
#include "host/errors/errors.hpp"
#include "host/simulation/body_system.hpp"
#include "host/simulation/contact_finder.hpp"
#include "tools/benchmarks/bench_cases.hpp"
#include "tools/benchmarks/bench_rounds.hpp"

namespace nodia::studies {
namespace {

using Run = std::function<void()>;

// Bytes that memory moves, each number once: of a node ...
constexpr double kVector = sizeof(Vec3d), kMass = sizeof(double);
constexpr double kIntegration = 5 * kVector;  // v_hat, x and v; next x and v
constexpr double kEnergies = 3 * kVector + 2 * kMass + 2 * kNodeStride * sizeof(double);
constexpr double kEvaluation = 5 * kVector + kMass + sizeof(std::int32_t);
// ... of a tetrahedron (its rest data, nodes, energy) and of a block of A with its column.
constexpr double kTet = 12 * sizeof(double) + 4 * sizeof(std::int32_t) + 2 * sizeof(double);
constexpr double kBlock = 9 * sizeof(double) + sizeof(std::int32_t);

/// The bodies of the mat's scene, and a copy of its state.
struct Bodies {
  TopologyPool pool;
  BodySystem system;
  State state;

  explicit Bodies(const SlidingMat& mat)
      : system(mat.simulation.scene()), state(mat.simulation.state()) {
    system.fix_topology({}, &pool);
  }
};

Run assembly(const SlidingMat& mat, int n_thread) {
  const TetModel& model = mat.simulation.model();
  const TetModel::AssemblyInput input{mat.simulation.state().x.data(), mat.simulation.scene().time,
                                      nullptr, n_thread};
  return [&model, input, value = std::vector<double>(mat.problem.A.value.size()),
          force = std::vector<Vec3d>(mat.problem.b.size())]() mutable {
    model.assemble(input, value.data(), force.data());
  };
}

Run detection(const SlidingMat& mat, int n_thread) {
  const Scene& scene = mat.simulation.scene();
  const State& state = mat.simulation.state();
  std::vector<ObstaclePose> obstacles;
  for (const ObstacleDescription& o : scene.obstacles)
    obstacles.push_back(
        {o.shape, o.path.at(state.time_s), o.path.at(state.time_s + scene.time.step_s)});
  const NodeMotions nodes{state.x.data(), state.v.data(), state.v.data(), mat.n_node()};
  const DetectionReach reach{scene.contact.margin_m, scene.time.step_s};
  const auto nodes_near = std::make_shared<NodeDetection>();
  return [=] { nodes_near->detect(obstacles, nodes, reach, n_thread); };
}

Run search(const SlidingMat& mat, int n_thread) {
  const Scene& scene = mat.simulation.scene();
  const auto own = std::make_shared<Bodies>(mat);
  own->system.update_kinematics(own->state);
  const auto targets = std::make_shared<Targets>(Targets::of(scene, own->system));
  const auto finder = std::make_shared<ContactFinder>(scene, targets->obstacles, own->system);
  return [own, targets, finder, found = StepContacts(), n_thread]() mutable {
    finder->find(own->state, own->system, own->state.v, {}, n_thread, &found);
  };
}

Run integration(const SlidingMat& mat, int n_thread) {
  return [&mat, own = std::make_shared<Bodies>(mat), n_thread] {
    own->system.advance(mat.warm.v.data(), n_thread, &own->state);
  };
}

Run energies(const SlidingMat& mat, int n_thread) {
  return [own = std::make_shared<Bodies>(mat), n_thread] {
    own->system.energies(own->state, n_thread);
  };
}

Run errors(const SlidingMat& mat, int n_thread) {
  return [&mat, diagonal = delassus_diagonal_estimate(mat.problem), n_thread] {
    solution_errors(mat.problem, 0, mat.warm.v, mat.warm.lambda, diagonal, Projection::strict, 0,
                    n_thread);
  };
}

double integration_bytes(const SlidingMat& mat) {
  return kIntegration * mat.n_node();
}

double energies_bytes(const SlidingMat& mat) {
  return kEnergies * mat.n_node() + kTet * mat.simulation.model().n_tet();
}

double errors_bytes(const SlidingMat& mat) {
  return kEvaluation * mat.n_node() + kBlock * mat.problem.A.pattern->n_block();
}

struct Part {
  const char* choice;  ///< value of --cases
  const char* name;
  Run (*make)(const SlidingMat&, int n_thread);
  double (*bytes)(const SlidingMat&);  ///< null: not counted
};
constexpr Part kParts[] = {{"assembly", "assembly", assembly, nullptr},
                           {"detection", "detection", detection, nullptr},
                           {"search", "search", search, nullptr},
                           {"parts", "integration", integration, integration_bytes},
                           {"parts", "energies", energies, energies_bytes},
                           {"parts", "judgement", errors, errors_bytes}};

}  // namespace

bool has_parts(const BenchOptions& options) {
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&](const Part& part) { return options.has(part.choice); });
}

void bench_parts(const SlidingMat& mat, const BenchOptions& options, int threads,
                 const BenchListener& listener) {
  const int n_thread = thread_count(threads, mat.n_node());
  const ExecutionOptions execution = execution_on(Backend::cpu, Precision::double_, n_thread);
  for (const Part& part : kParts) {
    if (!options.has(part.choice)) continue;
    const Run run = part.make(mat, n_thread);
    Contestant contestant{bench_row(part.name, mat.n_node(), 1, execution),
                          [&run] { return seconds_of(run); }};
    if (part.bytes) contestant.row.at("bytes_per_iteration") = part.bytes(mat);
    run();
    run_rounds({&contestant}, nullptr, options.rounds);
    report(&contestant, listener);
  }
}

}  // namespace nodia::studies
