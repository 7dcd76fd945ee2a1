/// The bits of short runs of every scenario file, for tools/bits.sh.
///
///   bits list                              a line a run: name precision steps
///   bits run NAME PRECISION [--threads N] [--positions FILE]
///                                          the bytes of the run to stdout
///   bits deviation FILE FILE               the largest deviation of positions of two runs,
///                                          relative to the body's size
///
/// Bytes, of every step, of every environment in ascending order: positions of soft nodes; position
/// and orientation of frames (rigid bodies, then cables' links); coordinates of robots; velocities
/// of all rows; contact forces lambda in their contact frames. Doubles as they lie in memory, each
/// list behind the number of its entries (64 bits).
///
/// Positions file: x, y, z, size [m] of every position at the end of the run in the same order,
/// doubles; size is that of the body: the diagonal of the box about its nodes (or a cable's
/// points) at the start, of a rigid body the diagonal of the box of its mass and inertia. A
/// coordinate of a robot stands as (q, 0, 0, 1).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "host/simulation/simulation.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/options.hpp"
#include "kernels/core/error.hpp"
#include "scenarios/build/scenario.hpp"
#include "tests/support/scenario_list.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

constexpr int kSteps = 100;  ///< of a scenario file without an entry below

/// A run that is not a scenario file's first kSteps steps as the file has them, by cond unless they
/// name another solver.
struct Run {
  std::string name, file;
  int n_step = kSteps;
  std::vector<std::string> overrides;
  bool every_precision = true;  ///< otherwise double alone
};

const char* const kBall = "scenarios/soft_ball/soft_ball.yaml";
const char* const kGripper = "scenarios/soft_gripper/soft_gripper.yaml";
const char* const kMat = "scenarios/soft_mat/soft_mat.yaml";
const char* const kPlates = "scenarios/grip_creep/plates.yaml";
const char* const kTouching = "robots.gripper.q.finger_left=0.041";

/// In place of the plain run of their file: fingers that touch from the start, and the long
/// iterations of a hard grip cut off.
const std::vector<Run> kChanged{
    {"soft_ball", kBall, kSteps, {kTouching}},
    {"soft_gripper",
     kGripper,
     25,
     {"solver.acceleration=nesterov", "solver.virtual_gain=100", "solver.max_iterations=400"}},
};

/// What no scenario file chooses: batches, kinds of W, accelerations, solvers.
std::vector<Run> further_runs() {
  std::vector<Run> runs{
      {"soft_ball.batch", kBall, 5, {kTouching, "environments=3"}},
      {"soft_mat.w_kept", kMat, 5, {"solver.w_recycle_steps=3"}},
      {"soft_mat.midpoint", kMat, 5, {"time.theta=0.5"}},
  };
  const CondOptions chosen;
  for (const auto& [value, word] : words_of(WKind{}))
    if (value != chosen.w)
      runs.push_back(
          {std::string("soft_mat.w_") + word, kMat, 10, {std::string("solver.w=") + word}});
  for (const auto& [value, word] : words_of(Acceleration{}))
    if (value != chosen.acceleration)
      runs.push_back({std::string("soft_mat.acceleration_") + word,
                      kMat,
                      10,
                      {std::string("solver.acceleration=") + word}});
  runs.push_back(
      {"soft_ball.invertible", kBall, 5, {kTouching, "solver.invertible_omega_m_Ns=1e-5"}});
  runs.push_back({"soft_ball.stop_paper",
                  kBall,
                  5,
                  {kTouching, "solver.stop=paper", "solver.tolerance=1e-6"}});
  for (const std::string& solver : method_names())
    if (solver != "cond")
      runs.push_back(
          {"grip_creep_plates.solver_" + solver, kPlates, 3, {"solver.solver=" + solver}, false});
  return runs;
}

std::vector<Run> all_runs() {
  std::vector<Run> runs;
  for (const std::string& file : test::scenario_files()) {
    Run run{test::scenario_name(file), file, kSteps, {}};
    for (const Run& changed : kChanged)
      if (changed.file == file) run = changed;
    runs.push_back(run);
  }
  for (Run& run : further_runs()) runs.push_back(std::move(run));
  return runs;
}

std::vector<std::string> precisions(const Run& run) {
  if (run.every_precision) return {"double", "mixed", "float"};
  return {"double"};
}

template <class T>
void write(const std::vector<T>& list) {
  const std::uint64_t count = list.size();
  bool good = std::fwrite(&count, sizeof count, 1, stdout) == 1;
  good = good && std::fwrite(list.data(), sizeof(T), list.size(), stdout) == list.size();
  if (!good) throw InputError("bits: stdout cannot be written");
}

double diagonal(const std::vector<Vec3d>& points, std::size_t first, std::size_t end) {
  Vec3d low = points[first], high = low;
  for (std::size_t i = first; i < end; ++i) {
    low = {std::min(low.x, points[i].x), std::min(low.y, points[i].y),
           std::min(low.z, points[i].z)};
    high = {std::max(high.x, points[i].x), std::max(high.y, points[i].y),
            std::max(high.z, points[i].z)};
  }
  return std::hypot(high.x - low.x, high.y - low.y, high.z - low.z);
}

/// Of the body of every soft node, then of every frame [m].
std::vector<double> sizes(const Scene& scene, const BodyLayout& layout, const State& start) {
  const Objects objects(scene);
  std::vector<const RigidDescription*> rigid_of;  // by number
  visit_objects(scene, [&]<class Object>(ObjectKind, const char*, const std::vector<Object>& list) {
    for (const Object& object : list) {
      if constexpr (RigidKind<Object>)
        rigid_of.push_back(&object);
      else
        rigid_of.push_back(nullptr);
    }
  });
  std::vector<double> size;
  for (std::int32_t k = 0; k < layout.size(); ++k) {
    const BodyRange& body = layout[k];
    const auto index = static_cast<std::size_t>(objects[k].id.index);
    double own = 0;
    if (body.kind == BodyKind::soft) {
      own = diagonal(start.x, static_cast<std::size_t>(body.first),
                     static_cast<std::size_t>(body.end()));
    } else if (body.kind == BodyKind::rigid) {
      // Of a box with edges a, b, c: trace = m/6 (a^2 + b^2 + c^2).
      const RigidDescription& rigid = *rigid_of[static_cast<std::size_t>(k)];
      own = std::sqrt(6 * trace(rigid.inertia_kg_m2) / rigid.mass_kg);
    } else if (body.kind == BodyKind::chain) {
      const std::vector<Vec3d>& points = scene.cables[index].points_m;
      own = diagonal(points, 0, points.size());
    }
    if (body.kind != BodyKind::robot)
      size.insert(size.end(), static_cast<std::size_t>(body.n), own);
  }
  return size;
}

void append_positions(const State& end, const std::vector<double>& size, std::vector<double>* out) {
  std::size_t i = 0;
  const auto add = [out](const Vec3d& x, double of) {
    out->insert(out->end(), {x.x, x.y, x.z, of});
  };
  for (const Vec3d& x : end.x) add(x, size[i++]);
  for (const FramePose& frame : end.frames) add(frame.position, size[i++]);
  for (const double q : end.q) add({q, 0, 0}, 1);
}

void write_run(const Run& run, const std::string& precision, const std::string& threads,
               const std::string& positions_file) {
  std::vector<std::string> overrides{"solver.solver=cond"};
  overrides.insert(overrides.end(), run.overrides.begin(), run.overrides.end());
  overrides.push_back("solver.precision=" + precision);
  overrides.push_back("solver.threads=" + threads);
  const Batch batch = load_batch(test::source_file(run.file), overrides);
  std::vector<Scene> scenes;
  for (const Scenario& scenario : batch.environments) scenes.push_back(scenario.scene);
  Simulation simulation(scenes, batch.environments.front().solver);
  std::vector<std::vector<double>> size;
  for (int e = 0; e < simulation.n_env(); ++e)
    size.push_back(sizes(simulation.scene(e), simulation.layout(e), simulation.state(e)));
  for (int k = 0; k < run.n_step; ++k)
    simulation.step([](const StepView& view) {
      write(view.state().x);
      write(view.state().frames);
      write(view.state().q);
      write(view.state().v);
      write(view.lambda());
    });
  if (positions_file.empty()) return;
  std::vector<double> positions;
  for (int e = 0; e < simulation.n_env(); ++e)
    append_positions(simulation.state(e), size[static_cast<std::size_t>(e)], &positions);
  std::ofstream out(positions_file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(positions.data()),
            static_cast<std::streamsize>(positions.size() * sizeof(double)));
  if (!out.flush()) throw InputError(positions_file + ": cannot be written");
}

std::vector<double> read_positions(const std::string& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) throw InputError(file + ": cannot be read");
  std::vector<double> values(static_cast<std::size_t>(in.tellg()) / sizeof(double));
  in.seekg(0).read(reinterpret_cast<char*>(values.data()),
                   static_cast<std::streamsize>(values.size() * sizeof(double)));
  if (!in || values.size() % 4 != 0) throw InputError(file + ": no positions file");
  return values;
}

/// NaN where either run has a position that is no number.
double deviation(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) throw InputError("bits: the runs have different numbers of positions");
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); i += 4) {
    const double d = std::hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]) / a[i + 3];
    if (std::isnan(d)) return d;
    largest = std::max(largest, d);
  }
  return largest;
}

int usage() {
  std::fputs(
      "usage: bits list | bits run NAME PRECISION [--threads N] [--positions FILE] | "
      "bits deviation FILE FILE\n",
      stderr);
  return 2;
}

int command(const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == "list") {
    for (const Run& run : all_runs())
      for (const std::string& precision : precisions(run))
        std::printf("%s %s %d\n", run.name.c_str(), precision.c_str(), run.n_step);
    return 0;
  }
  if (words.size() == 3 && words[0] == "deviation") {
    std::printf("%.3g\n", deviation(read_positions(words[1]), read_positions(words[2])));
    return 0;
  }
  if (words.size() < 3 || words.size() % 2 == 0 || words[0] != "run") return usage();
  std::string threads = "1", positions;
  for (std::size_t i = 3; i < words.size(); i += 2) {
    if (words[i] == "--threads")
      threads = words[i + 1];
    else if (words[i] == "--positions")
      positions = words[i + 1];
    else
      return usage();
  }
  for (const Run& known : all_runs())
    if (known.name == words[1]) {
      write_run(known, words[2], threads, positions);
      return 0;
    }
  throw InputError(words[1] + ": no such run (see bits list)");
}

}  // namespace
}  // namespace nodia

int main(int n, char** words) {
  try {
    return nodia::command({words + 1, words + n});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
