#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cfenv>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host/io/build_id.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/bind.hpp"
#include "python/bindings/task_arrays.hpp"
#include "scenarios/build/policy_seed.hpp"
#include "scenarios/dataset/dataset_folder.hpp"
#include "scenarios/dataset/generator.hpp"

namespace nodia::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// Stop flag, set from another thread than the generating one.
struct Stop {
  std::atomic<bool> flag = false;
};

/// Restores the default floating-point environment. A library may change the rounding mode or flush
/// denormals to zero for its thread and the threads that it starts. The bits of an episode must not
/// depend on this.
void round_as_usual() {
  std::fesetenv(FE_DFL_ENV);
}

/// Environment of an episode, as its policy sees it.
struct ActingEnvironment {
  const TaskEnvironments* environments;
  int env;
};

/// Observations of one environment by name, each [1 x size of the observation].
nb::dict observations_of(const ActingEnvironment& acting, bool noisy) {
  const TaskEnvironments& all = *acting.environments;
  const std::vector<Observable>& observed = all.observation_space();
  nb::dict d;
  for (std::size_t k = 0; k < observed.size(); ++k) {
    const std::vector<double>& values =
        noisy ? all.observation(static_cast<int>(k)) : all.true_observation(static_cast<int>(k));
    const auto size = static_cast<std::ptrdiff_t>(observed[k].size());
    const auto first = values.begin() + acting.env * size;
    d[observed[k].name.c_str()] = owned<double>(std::vector<double>(first, first + size),
                                                {1, static_cast<std::size_t>(size)});
  }
  return d;
}

/// Policy of an episode: a Python object that is called with the environment before every control
/// step. It returns the components of the action, or a text with the cause if it fails.
class PythonActor : public Actor {
 public:
  /// @param make  creates the Python object from the episode's seed
  PythonActor(const nb::callable& make, std::uint64_t seed) {
    const nb::gil_scoped_acquire python;
    act_ = make(seed);
  }
  ~PythonActor() override {
    const nb::gil_scoped_acquire python;
    act_.reset();
  }
  PythonActor(const PythonActor&) = delete;
  PythonActor& operator=(const PythonActor&) = delete;

  std::vector<double> action(const TaskEnvironments& environments, int env) override {
    const nb::gil_scoped_acquire python;
    const nb::object answer = act_(nb::cast(ActingEnvironment{&environments, env}));
    round_as_usual();
    if (nb::isinstance<nb::str>(answer)) throw ActorFailure(nb::cast<std::string>(answer));
    return nb::cast<std::vector<double>>(answer);
  }

 private:
  nb::object act_;
};

nb::dict generate_blocks(const std::string& folder, const nb::callable& make, int threads,
                         std::pair<int, int> shard, int batch, const BackendRequest& backend,
                         const nb::callable& progress, const Stop& stop) {
  round_as_usual();
  const DatasetRequest request = read_dataset(folder);
  GenerateOptions options;
  options.threads = threads;
  options.shard = {shard.first, shard.second};
  options.batch = batch;
  options.backend = backend;
  options.progress = [&](int n_episode) {
    const nb::gil_scoped_acquire python;
    progress(n_episode);
  };
  const Generated made = [&] {
    const nb::gil_scoped_release others_run;
    return generate(
        folder, request,
        [&](const Scenario& episode) {
          return std::make_unique<PythonActor>(make, policy_seed(episode));
        },
        options, stop.flag);
  }();
  nb::dict d;
  d["made_blocks"] = made.n_block;
  d["made_episodes"] = made.n_episode;
  d["busy_blocks"] = made.busy;
  d["stopped"] = made.stopped;
  return d;
}

}  // namespace

void bind_dataset(nb::module_& m) {
  using Acting = ActingEnvironment;
  nb::class_<Acting>(m, "ActingEnvironment")
      .def_prop_ro("text", [](const Acting& a) { return a.environments->task().text; })
      .def_prop_ro("control_hz", [](const Acting& a) { return a.environments->task().control_hz; })
      .def_prop_ro("actions_per_episode",
                   [](const Acting& a) { return a.environments->actions_per_episode(); })
      .def_prop_ro("action_space", [](const Acting& a) { return action_space(*a.environments); })
      .def_prop_ro("observation_space",
                   [](const Acting& a) { return observation_space(*a.environments); })
      .def("observations", &observations_of, "noisy"_a = true);
  nb::class_<Stop>(m, "Stop").def(nb::init<>()).def("set", [](Stop& stop) { stop.flag = true; });
  m.def("generate", &generate_blocks, "folder"_a, "make"_a, "threads"_a, "shard"_a, "batch"_a,
        "backend"_a, "progress"_a, "stop"_a);
  m.def("build_id", &build_id);
}

}  // namespace nodia::python
