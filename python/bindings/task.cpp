#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "host/io/checkpoint_file.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/bind.hpp"
#include "python/bindings/frames.hpp"
#include "python/bindings/interruptible.hpp"
#include "python/bindings/live_task.hpp"
#include "python/bindings/task_arrays.hpp"
#include "scenarios/task/action_log.hpp"
#include "scenarios/task/policy.hpp"

namespace nodia::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using Actions = nb::ndarray<const double, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

std::shared_ptr<LiveTask> make_task(const Episodes& episodes, std::optional<int> threads,
                                    const BackendRequest& backend) {
  return make_interruptible([=] { return std::make_shared<LiveTask>(episodes, threads, backend); });
}

/// Begins episodes. @return how each environment settled
nb::list reset(LiveTask& task, const std::vector<int>& envs, Episodes episodes) {
  const std::vector<Settled> settled = [&] {
    const nb::gil_scoped_release others_run;
    return task.reset(envs, std::move(episodes));
  }();
  nb::list list;
  for (const Settled& s : settled) {
    nb::dict d;
    d["at_rest"] = s.at_rest;
    d["settle_speed_m_s"] = s.speed_m_s;
    d["settle_time_s"] = s.time_s;
    d["status"] = name_of(s.status);
    d["cause"] = s.cause;
    list.append(d);
  }
  return list;
}

/// Takes a control step. @return environments and the texts of their warnings
std::vector<std::pair<int, std::string>> step_task(LiveTask& task, const Actions& actions) {
  std::vector<double> numbers(actions.data(), actions.data() + actions.size());
  const StepReports reports = [&] {
    const nb::gil_scoped_release others_run;
    return task.step(numbers);
  }();
  std::vector<std::pair<int, std::string>> told;
  for (const StepReports::Notice& notice : reports.overlaps)
    told.emplace_back(notice.env, notice.text);
  return told;
}

nb::dict report(const LiveTask& task, int env) {
  const TaskEnvironments& environments = task.still(env);
  const TaskReport& r = environments.report(env);
  std::vector<char> clipped(environments.action_space().size());
  for (const int k : r.clipped) clipped[static_cast<std::size_t>(k)] = 1;
  const std::size_t n = clipped.size();
  nb::dict d;
  d["terminated"] = r.terminated;
  d["truncated"] = r.truncated;
  d["reward"] = r.reward;
  d["success"] = r.success;
  d["failed"] = r.failed;
  d["status"] = name_of(r.status);
  d["step"] = r.step;
  d["cause"] = r.cause;
  d["clipped"] = owned<bool>(std::move(clipped), {n});
  return d;
}

nb::bytes save(LiveTask& task, int env) {
  TaskCheckpoint checkpoint = task.save(env);
  const std::string bytes =
      checkpoint_bytes({{std::move(checkpoint.simulation)}, std::move(checkpoint.episode)});
  return nb::bytes(bytes.data(), bytes.size());
}

void load(LiveTask& task, const std::vector<int>& envs, const Episodes& episodes,
          const std::vector<nb::bytes>& states) {
  std::vector<TaskCheckpoint> checkpoints;
  for (const nb::bytes& state : states) {
    CheckpointFile file = checkpoint_from_bytes({state.c_str(), state.size()}, "state");
    checkpoints.push_back({std::move(file.environments.at(0)), std::move(file.run)});
  }
  const nb::gil_scoped_release others_run;
  task.load(envs, episodes, checkpoints);
}

Array<double> script_action(const LiveTask& task, int env) {
  std::vector<double> action = task.still(env).script_action(env);
  const std::size_t n = action.size();
  return owned<double>(std::move(action), {n});
}

/// Actions of an episode from a log, [n_action, components].
Array<double> action_log(const std::string& path, const std::vector<std::string>& names,
                         double control_hz, int n_action) {
  std::vector<ActionComponent> components;
  for (const std::string& name : names) components.push_back({name, "", 0, 0});
  return owned<double>(read_action_log(path, components, control_hz, n_action),
                       {static_cast<std::size_t>(n_action), names.size()});
}

/// Kind, file and class of a policy.
nb::tuple policy_parts(const std::string& words) {
  const Policy policy = parse_policy(words);
  return nb::make_tuple(name_of(policy.kind), policy.file, policy.class_name);
}

}  // namespace

void bind_task(nb::module_& m) {
  nb::class_<LiveTask>(m, "Task")
      .def(nb::new_(&make_task), "episodes"_a, "threads"_a.none(), "backend"_a)
      .def_prop_ro("n_env", &LiveTask::n_env)
      .def_prop_ro("backend", [](const LiveTask& t) { return name_of(t.backend().backend); })
      .def_prop_ro("backend_because", [](const LiveTask& t) { return t.backend().because; })
      .def_prop_ro("text", [](const LiveTask& t) { return t.still().task().text; })
      .def_prop_ro("policy", [](const LiveTask& t) { return t.still().task().policy; })
      .def_prop_ro("control_hz", [](const LiveTask& t) { return t.still().task().control_hz; })
      .def_prop_ro("actions_per_episode",
                   [](const LiveTask& t) { return t.still().actions_per_episode(); })
      .def_prop_ro("action_space", [](const LiveTask& t) { return action_space(t.still()); })
      .def_prop_ro("observation_space",
                   [](const LiveTask& t) { return observation_space(t.still()); })
      .def_prop_ro("settle_steps", [](const LiveTask& t) { return t.still().settle_steps(); })
      .def("reset", &reset, "envs"_a, "episodes"_a)
      .def("step", &step_task, "actions"_a)
      .def("save", &save, "env"_a)
      .def("load", &load, "envs"_a, "episodes"_a, "states"_a)
      .def_prop_ro("noisy", [](const LiveTask& t) { return t.still().task().noise.has_value(); })
      .def(
          "observations",
          [](const LiveTask& t, bool noisy) { return observations(t.still(), noisy); },
          "noisy"_a = true)
      .def("report", &report, "env"_a)
      .def("script_action", &script_action, "env"_a)
      .def(
          "frame",
          [](const LiveTask& t, int env) {
            return frame_of(t.still(env).simulation(), env, t.last_step(env));
          },
          "env"_a)
      .def(
          "topology",
          [](const LiveTask& t, int env) {
            return topology_of(t.still(env).simulation().scene(env));
          },
          "env"_a)
      .def("yaml", [](const LiveTask& t, int env) { return t.episode(env).resolved_yaml; });
  m.def("read_action_log", &action_log, "path"_a, "components"_a, "control_hz"_a, "n_action"_a);
  m.def("parse_policy", &policy_parts, "words"_a);
}

}  // namespace nodia::python
