#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "host/io/checkpoint_file.hpp"
#include "host/simulation/checkpoint.hpp"
#include "kernels/core/rotation.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/bind.hpp"
#include "python/bindings/live_simulation.hpp"

namespace nodia::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// Position [m] and quaternion w, x, y, z. pose_of() normalises the quaternion.
using Row = std::array<double, 7>;

Pose pose_of(const Row& r) {
  return {{r[0], r[1], r[2]}, rotation_matrix(normalized({r[3], r[4], r[5], r[6]}))};
}

Array<double> row_of(const Pose& pose) {
  return owned<double>(std::vector<FramePose>{frame_pose(pose)}, {7});
}

void set_joint_targets(LiveSimulation& s, int env, const std::string& robot,
                       const std::vector<double>& targets, double reach_s) {
  s.change(env, [&](Simulation* simulation) {
    simulation->set_joint_targets(env, robot, targets, reach_s);
  });
}

void set_pose_target(LiveSimulation& s, int env, const std::string& robot, int drive,
                     const Row& target, double reach_s) {
  s.change(env, [&](Simulation* simulation) {
    simulation->set_pose_target(env, robot, drive, pose_of(target), reach_s);
  });
}

void set_frame_target(LiveSimulation& s, int env, const std::string& name, const Row& target,
                      double reach_s) {
  s.change(env, [&](Simulation* simulation) {
    simulation->set_frame_target(env, name, pose_of(target), reach_s);
  });
}

void set_holding(LiveSimulation& s, int env, const std::string& attachment, bool holds) {
  s.change(env, [&](Simulation* simulation) { simulation->set_holding(env, attachment, holds); });
}

Array<double> joint_targets(const LiveSimulation& s, int env, const std::string& robot) {
  std::vector<double> targets = s.still(env).joint_targets(env, robot);
  const std::size_t n = targets.size();
  return owned<double>(std::move(targets), {n});
}

Array<double> pose_target(const LiveSimulation& s, int env, const std::string& robot, int drive) {
  return row_of(s.still(env).pose_target(env, robot, drive));
}

Array<double> frame_target(const LiveSimulation& s, int env, const std::string& name) {
  return row_of(s.still(env).frame_target(env, name));
}

/// Name of the package's own bytes in a checkpoint file.
constexpr const char* kBeside = "python";

using KeptCheckpoint = std::shared_ptr<const Checkpoint>;

KeptCheckpoint save(LiveSimulation& s, int env) {
  KeptCheckpoint kept;
  s.change(env, [&](Simulation* simulation) {
    kept = std::make_shared<const Checkpoint>(simulation->save(env));
  });
  return kept;
}

nb::bytes bytes_of(const std::vector<KeptCheckpoint>& checkpoints, const nb::bytes& beside) {
  CheckpointFile file;
  for (const KeptCheckpoint& checkpoint : checkpoints) file.environments.push_back(*checkpoint);
  file.run[kBeside].assign(beside.c_str(), beside.size());
  const std::string bytes = checkpoint_bytes(file);
  return nb::bytes(bytes.data(), bytes.size());
}

nb::tuple from_bytes(const nb::bytes& bytes, const std::string& source) {
  CheckpointFile file = checkpoint_from_bytes({bytes.c_str(), bytes.size()}, source);
  std::vector<KeptCheckpoint> checkpoints;
  for (Checkpoint& checkpoint : file.environments)
    checkpoints.push_back(std::make_shared<const Checkpoint>(std::move(checkpoint)));
  const std::string& beside = file.run[kBeside];
  return nb::make_tuple(checkpoints, nb::bytes(beside.data(), beside.size()));
}

/// Names of the joints of the drives, in the order of the drives.
std::vector<std::string> joint_drives(const LiveSimulation& s, int env, const std::string& robot) {
  std::vector<std::string> names;
  for (const JointDriveDescription& drive : s.robot_of(env, robot).joint_drives)
    names.push_back(drive.joint);
  return names;
}

std::vector<std::string> pose_drives(const LiveSimulation& s, int env, const std::string& robot) {
  std::vector<std::string> names;
  for (const PoseDriveDescription& drive : s.robot_of(env, robot).pose_drives)
    names.push_back(drive.name);
  return names;
}

}  // namespace

void bind_commands(nb::module_& m, nb::class_<LiveSimulation>& simulation) {
  [[maybe_unused]] const nb::class_<Checkpoint> checkpoint(m, "Checkpoint");
  simulation
      .def("set_joint_targets", &set_joint_targets, "env"_a, "robot"_a, "targets"_a, "reach_s"_a)
      .def("set_pose_target", &set_pose_target, "env"_a, "robot"_a, "drive"_a, "target"_a,
           "reach_s"_a)
      .def("set_frame_target", &set_frame_target, "env"_a, "name"_a, "target"_a, "reach_s"_a)
      .def("set_holding", &set_holding, "env"_a, "attachment"_a, "holds"_a)
      .def("joint_targets", &joint_targets, "env"_a, "robot"_a)
      .def("pose_target", &pose_target, "env"_a, "robot"_a, "drive"_a)
      .def("frame_target", &frame_target, "env"_a, "name"_a)
      .def("joint_drives", &joint_drives, "env"_a, "robot"_a)
      .def("pose_drives", &pose_drives, "env"_a, "robot"_a)
      .def("save", &save, "env"_a)
      .def("load", &LiveSimulation::load, "env"_a, "checkpoint"_a)
      .def("reset", &LiveSimulation::reset, "env"_a, "episode"_a);
  m.def("checkpoint_bytes", &bytes_of, "checkpoints"_a, "beside"_a);
  m.def("checkpoint_from_bytes", &from_bytes, "data"_a, "source"_a);
}

}  // namespace nodia::python
