/// Tests contacts of soft nodes that are made on the device: states, forces and records have the
/// CPU's bits for all kinds of contacts and commands.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "host/simulation/checkpoint.hpp"
#include "tests/checked_host/both_backends.hpp"
#include "tests/devices/checked_host/checked_host.hpp"
#include "tests/support/temporary_folder.hpp"

namespace nodia {
namespace {

using test::BothBackends;
using test::soft_mats;

/// A block falls into a corner of two walls over a rotating floor and hits a ball. Its nodes have
/// zero to three contacts with every kind of rule.
const std::vector<std::string> kCorner = {
    "time.step_s=0.005", "attachments={}", "pushes={}",
    "obstacles={floor: {shape: half_space, friction: 0.4, path: [{time_s: 0, position_m: [0, 0, "
    "0.19]}, {time_s: 1, position_m: [0, 0, 0.23]}]}, wall: {shape: half_space, friction: 0.1, "
    "orientation_wxyz: [0.7071067811865476, 0, 0.7071067811865476, 0], position_m: [-0.001, 0, "
    "0]}, side: {shape: half_space, friction: 0, orientation_wxyz: [0.7071067811865476, "
    "-0.7071067811865476, 0, 0], position_m: [0, -0.001, 0]}, ball: {shape: sphere, radius_m: "
    "0.05, "
    "friction: 0.7, position_m: [0.1, 0.1, 0.14]}}"};

class DeviceSoftContactsIn : public testing::TestWithParam<Precision> {};

INSTANTIATE_TEST_SUITE_P(Precisions, DeviceSoftContactsIn,
                         testing::Values(Precision::double_, Precision::mixed, Precision::float_),
                         [](const auto& one) { return name_of(one.param); });

TEST_P(DeviceSoftContactsIn, NodesInSeveralContactsHaveTheCpusBits) {
  BothBackends pair(soft_mats(GetParam(), kCorner));
  pair.step(40);
  EXPECT_GT(pair.most_contacts, 400);
}

TEST_P(DeviceSoftContactsIn, AnisotropicFrictionTheProximalLawAndInvertibleContactToo) {
  std::vector<std::string> overrides = kCorner;
  overrides.emplace_back(
      "friction_pairs=[{body: mat, obstacle: floor, friction_1: 0.1, friction_2: 0.5, axis: [1, 1, "
      "0]}]");
  overrides.emplace_back("solver.projection=proximal");
  overrides.emplace_back("solver.invertible_omega_m_Ns=1e-3");
  overrides.emplace_back("time.theta=0.6");
  BothBackends pair(soft_mats(GetParam(), overrides));
  pair.step(15);
}

/// The device has the samples of the mesh.
TEST_P(DeviceSoftContactsIn, MeshesAreObstacles) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("wedge.obj")) << "v 0 0 0\nv 0.3 0 0\nv 0 0.3 0\nv 0 0 -0.2\n"
                                             "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";
  BothBackends pair(soft_mats(
      GetParam(),
      {"attachments={}", "obstacles={floor: {shape: mesh, file: " + folder.file("wedge.obj") +
                             ", grid_spacing_m: 0.02, friction: 0.4, "
                             "position_m: [0.02, 0.02, -0.001]}}"}));
  pair.step(8);
  EXPECT_GT(pair.most_contacts, 50);
}

TEST_P(DeviceSoftContactsIn, CommandsCheckpointsAndResetsStartFromTheirForces) {
  std::vector<std::string> overrides = kCorner;
  overrides.emplace_back("environments=3");
  BothBackends pair(soft_mats(GetParam(), overrides));
  pair.step(4);
  const Checkpoint early = pair.cpu.save(1);
  pair.step(4);
  pair.both([&](Simulation* s) { s->load(1, early); });
  pair.step(4);
  pair.both([](Simulation* s) { s->reset(0, s->scene(2)); });
  pair.step(4);
  pair.both([](Simulation* s) { s->set_state(2, s->state(1)); });
  pair.step(4);
}

TEST(DeviceSoftContacts, AStepSendsNothingOfTheSizeOfItsNodes) {
  for (const Precision precision : {Precision::double_, Precision::mixed, Precision::float_}) {
    for (const char* environments : {"environments=1", "environments=8"}) {
      SCOPED_TRACE(testing::Message() << name_of(precision) << ", " << environments);
      std::vector<std::string> overrides{environments, "attachments={}"};
      Simulation simulation = soft_mats(precision, overrides).on(Backend::cuda);
      for (int step = 0; step < 4; ++step) simulation.step();
      CheckedHost& device = checked_host();
      device.bytes_up = 0;
      simulation.step();
      EXPECT_LE(device.bytes_up, 200 + 256 * simulation.n_env());
    }
  }
}

}  // namespace
}  // namespace nodia
