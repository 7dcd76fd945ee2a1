#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <utility>

#include "fem/robot/joint_axes.hpp"
#include "host/simulation/contact_quantities.hpp"
#include "kernels/core/nearest_name.hpp"
#include "kernels/core/rotation.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/bind.hpp"
#include "python/bindings/device_arrays.hpp"
#include "python/bindings/frames.hpp"
#include "python/bindings/interruptible.hpp"
#include "python/bindings/live_simulation.hpp"

namespace nodia::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::size_t size(std::int64_t n) {
  return static_cast<std::size_t>(n);
}

nb::dict columns_of(StepReports reports) {
  nb::dict columns;
  const auto numbers = [&](const char* name, auto& column) {
    const std::size_t n = column.size();
    using Number = typename std::decay_t<decltype(column)>::value_type;
    columns[name] = owned<Number>(std::move(column), {n});
  };
  columns["status"] = reports.status;
  columns["reason"] = reports.reason;
  columns["solver"] = reports.solver;
  numbers("steps", reports.steps);
  numbers("iterations", reports.iterations);
  numbers("n_contact", reports.n_contact);
  numbers("n_stick", reports.n_stick);
  numbers("n_slip", reports.n_slip);
  numbers("time_s", reports.time_s);
  numbers("relative_residual", reports.relative_residual);
  numbers("natural_map_error", reports.natural_map_error);
  numbers("error_estimate", reports.error_estimate);
  numbers("certificate_J", reports.certificate_J);
  numbers("max_penetration_m", reports.max_penetration_m);
  numbers("kinetic_energy_J", reports.kinetic_energy_J);
  numbers("potential_energy_J", reports.potential_energy_J);
  numbers("solver_ms", reports.solver_ms);
  std::vector<std::pair<int, std::string>> overlaps;
  for (StepReports::Notice& notice : reports.overlaps)
    overlaps.emplace_back(notice.env, std::move(notice.text));
  columns["overlaps"] = overlaps;
  return columns;
}

std::shared_ptr<LiveSimulation> make_simulation(const Episodes& episodes,
                                                std::optional<int> threads,
                                                const BackendRequest& backend) {
  return make_interruptible(
      [=] { return std::make_shared<LiveSimulation>(episodes, threads, backend); });
}

/// Takes n steps. Signal handlers of Python may raise between two steps, for example
/// KeyboardInterrupt. The simulation is then at the end of the last completed step.
nb::dict step(LiveSimulation& simulation, int n) {
  bool raised = false;
  StepReports reports = [&] {
    const nb::gil_scoped_release others_run;
    return simulation.step(n, [&] {
      const nb::gil_scoped_acquire own;
      raised = raised || PyErr_CheckSignals() != 0;
      return !raised;
    });
  }();
  if (raised) throw nb::python_error();
  return columns_of(std::move(reports));
}

Array<const double> nodes(const LiveSimulation& s, int env, const std::string& name) {
  const BodyRange& body = s.body(env, name, BodyKind::soft);
  auto state = s.still(env).shared_state(env);
  const Vec3d* const first = state->x.data() + body.first;
  return view(std::move(state), first, {size(body.n), 3});
}

/// Poses of a rigid body (n = 1) or of the links of a cable, (n, 7).
Array<const double> poses(const LiveSimulation& s, int env, const std::string& name) {
  const BodyRange& body = s.frames_of(env, name);
  auto state = s.still(env).shared_state(env);
  const FramePose* const first = state->frames.data() + body.first;
  return view(std::move(state), first, {size(body.n), 7});
}

Array<const double> coordinates(const LiveSimulation& s, int env, const std::string& name) {
  const BodyRange& body = s.body(env, name, BodyKind::robot);
  auto state = s.still(env).shared_state(env);
  const double* const first = state->q.data() + body.first;
  return view(std::move(state), first, {size(body.n)});
}

Array<const double> velocities(const LiveSimulation& s, int env, const std::string& name) {
  const BodyRange& body = s.moving(env, name);
  auto state = s.still(env).shared_state(env);
  const Vec3d* const first = state->v.data() + body.first_row;
  if (body.kind == BodyKind::robot) return view(std::move(state), first, {size(body.n)});
  const std::size_t width = body.kind == BodyKind::soft ? 3 : 6;
  return view(std::move(state), first, {size(body.n), width});
}

Array<double> link_poses(const LiveSimulation& s, int env, const std::string& name) {
  const std::int32_t robot = s.robot(env, name);
  const Simulation& simulation = s.still(env);
  const std::vector<Pose> all = simulation.link_poses(env);
  const auto& robots = simulation.scene(env).robots;
  std::size_t first = 0;
  for (std::int32_t r = 0; r < robot; ++r) first += robots[size(r)].robot.links.size();
  const std::size_t n = robots[size(robot)].robot.links.size();
  std::vector<FramePose> poses;
  for (std::size_t k = first; k < first + n; ++k) poses.push_back(frame_pose(all[k]));
  return owned<double>(std::move(poses), {n, 7});
}

nb::dict contacts(const LiveSimulation& s, int env) {
  const std::optional<StepView> step = s.last_step(env);
  const ContactNames names = &ContactQuantity::in_python;
  ContactRecord record = step ? contact_record(step->source.contacts(), s.objects(env), names)
                              : empty_contact_record(names);
  nb::dict columns;
  for (ContactRecord::Column& column : record.columns)
    std::visit(
        [&]<class T>(std::vector<T>& values) {
          const std::size_t n = values.size();
          if constexpr (std::is_same_v<T, Vec3d>)
            columns[column.name] = owned<double>(std::move(values), {n, 3});
          else
            columns[column.name] = owned<T>(std::move(values), {n});
        },
        column.values);
  return columns;
}

/// Names of the columns of contacts(), with their shapes, meanings and units.
nb::dict contact_columns() {
  nb::dict texts;
  for (const ContactQuantity& quantity : contact_quantities())
    if (quantity.in_python) texts[quantity.in_python] = quantity.text();
  return texts;
}

/// Force on an object from the object `by`, or from all others, (3,) [N]. Contacts of an object
/// with itself do not contribute.
Array<double> contact_force(const LiveSimulation& s, int env, const std::string& name,
                            const std::optional<std::string>& by) {
  const std::int32_t on = s.object(env, name);
  const std::int32_t other = by ? s.object(env, *by) : -1;
  const Objects& objects = s.objects(env);
  Vec3d sum{};
  if (const std::optional<StepView> step = s.last_step(env))
    for (std::size_t m = 0; m < step->contacts().size(); ++m) {
      const std::int32_t i = objects.number(step->contact_sides()[m].i),
                         j = objects.number(step->contact_sides()[m].j);
      const Vec3d force = transpose_times(step->contacts()[m].R, step->lambda()[m]);
      if (i == on && j != on && (!by || j == other)) sum += force;
      if (j == on && i != on && (!by || i == other)) sum -= force;
    }
  return owned<double>(std::vector<Vec3d>{sum}, {3});
}

std::vector<std::string> sensors(const LiveSimulation& s, int env) {
  return sensor_names(s.still(env).scene(env));
}

Array<double> sensor(const LiveSimulation& s, int env, const std::string& name) {
  const std::vector<std::string> names = sensors(s, env);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) refuse_name("sensor", name, names);
  const std::optional<StepView> step = s.last_step(env);
  const Vec3d none{kNaN, kNaN, kNaN};
  const Wrench wrench =
      step ? step->record.sensors[size(found - names.begin())] : Wrench{none, none};
  return owned<double>(std::vector<Wrench>{wrench}, {6});
}

Array<double> effort(const LiveSimulation& s, int env, const std::string& robot) {
  const BodyRange& body = s.body(env, robot, BodyKind::robot);
  const std::optional<StepView> step = s.last_step(env);
  std::vector<double> efforts(size(body.n), kNaN);
  if (step) std::copy_n(step->record.efforts.begin() + body.first, body.n, efforts.begin());
  return owned<double>(efforts, {size(body.n)});
}

using NameAndKind = std::pair<std::string, std::string>;

std::vector<NameAndKind> objects(const LiveSimulation& s, int env) {
  std::vector<NameAndKind> list;
  for (const SceneObject& object : s.objects(env).all())
    list.emplace_back(object.surface.name, name_of(object.id.kind));
  return list;
}

const TetMesh& mesh_of(const LiveSimulation& s, int env, const std::string& name) {
  s.body(env, name, BodyKind::soft);
  const auto& bodies = s.still(env).scene(env).soft_bodies;
  return bodies[size(index_of(bodies, name))].mesh;
}

Array<std::int32_t> tetrahedra(const LiveSimulation& s, int env, const std::string& name) {
  const auto& tets = mesh_of(s, env, name).tets;
  return owned<std::int32_t>(tets, {tets.size(), 4});
}

Array<std::int32_t> surface(const LiveSimulation& s, int env, const std::string& name) {
  auto faces = boundary_faces(mesh_of(s, env, name));
  const std::size_t n = faces.size();
  return owned<std::int32_t>(std::move(faces), {n, 3});
}

nb::dict node_sets(const LiveSimulation& s, int env, const std::string& name) {
  nb::dict sets;
  for (const auto& [set, members] : mesh_of(s, env, name).node_sets)
    sets[set.c_str()] = owned<std::int32_t>(members, {members.size()});
  return sets;
}

/// Names of the robot's coordinates, in their order.
std::vector<std::string> joints(const LiveSimulation& s, int env, const std::string& name) {
  std::vector<std::string> names;
  for (const RobotLink& link : s.robot_of(env, name).robot.links)
    if (link.parent >= 0 && !link.joint.mimic)
      for (const JointAxis& axis : axes_of(link.joint))
        names.push_back(link.joint.name + axis.suffix);
  return names;
}

std::vector<std::string> links(const LiveSimulation& s, int env, const std::string& name) {
  std::vector<std::string> names;
  for (const RobotLink& link : s.robot_of(env, name).robot.links) names.push_back(link.name);
  return names;
}

}  // namespace

nb::class_<LiveSimulation> bind_simulation(nb::module_& m) {
  m.def("contact_columns", &contact_columns);
  nb::class_<LiveSimulation> simulation(m, "Simulation");
  simulation.def(nb::new_(&make_simulation), "episodes"_a, "threads"_a.none(), "backend"_a)
      .def_prop_ro("n_env", &LiveSimulation::n_env)
      .def_prop_ro("backend", [](const LiveSimulation& s) { return name_of(s.backend().backend); })
      .def_prop_ro("backend_because", [](const LiveSimulation& s) { return s.backend().because; })
      .def("step", &step, "n"_a)
      .def("time_s", [](const LiveSimulation& s, int env) { return s.still(env).time_s(env); })
      .def("steps", [](const LiveSimulation& s, int env) { return s.still(env).n_step(env); })
      .def("failed", [](const LiveSimulation& s, int env) { return s.still(env).failed(env); })
      .def("nodes", &nodes, "env"_a, "body"_a)
      .def("poses", &poses, "env"_a, "body"_a)
      .def("q", &coordinates, "env"_a, "robot"_a)
      .def("velocities", &velocities, "env"_a, "body"_a)
      .def("link_poses", &link_poses, "env"_a, "robot"_a)
      .def("contacts", &contacts, "env"_a)
      .def("contact_force", &contact_force, "env"_a, "body"_a, "by"_a.none())
      .def("effort", &effort, "env"_a, "robot"_a)
      .def("sensors", &sensors, "env"_a)
      .def("sensor", &sensor, "env"_a, "name"_a)
      .def("objects", &objects, "env"_a)
      .def("tetrahedra", &tetrahedra, "env"_a, "body"_a)
      .def("surface", &surface, "env"_a, "body"_a)
      .def("node_sets", &node_sets, "env"_a, "body"_a)
      .def("joints", &joints, "env"_a, "robot"_a)
      .def("links", &links, "env"_a, "robot"_a)
      .def(
          "frame",
          [](const LiveSimulation& s, int env) {
            return frame_of(s.still(env), env, s.last_step(env));
          },
          "env"_a)
      .def(
          "topology",
          [](const LiveSimulation& s, int env) { return topology_of(s.still(env).scene(env)); },
          "env"_a)
      .def("yaml", [](const LiveSimulation& s, int env) { return s.episode(env).resolved_yaml; });
  bind_device_arrays(simulation);
  return simulation;
}

}  // namespace nodia::python
