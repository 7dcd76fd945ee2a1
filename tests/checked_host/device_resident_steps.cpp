/// Tests end-of-step states that stay on the device until they are read: they have the CPU's bits
/// whenever they are downloaded, and until then no data of the nodes' size are copied.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "host/simulation/checkpoint.hpp"
#include "kernels/launch/kernel.hpp"
#include "kernels/vfpi/options.hpp"
#include "tests/checked_host/both_backends.hpp"
#include "tests/devices/checked_host/checked_host.hpp"

namespace nodia {
namespace {

using test::BothBackends;
using test::count_different;
using test::same_bits;
using test::soft_mats;

std::vector<double> numbers_of(const StepContactsView& s) {
  std::vector<double> all;
  const auto add = [&](Vec3d a) {
    for (int axis = 0; axis < 3; ++axis) all.push_back(a[axis]);
  };
  for (std::size_t m = 0; m < s.contacts.size(); ++m) {
    const Contact<double>& c = s.contacts[m];
    for (const Vec3d& row : c.R.row) add(row);
    for (const Vec3d& a : {c.phi, s.lambda[m], s.sides[m].position, s.sides[m].slip_velocity,
                           s.sides[m].position_j, Vec3d{c.mu1, c.mu2, 0}})
      add(a);
    for (const double a :
         {s.sides[m].gap_end_m, static_cast<double>(c.side_i), static_cast<double>(c.side_j),
          static_cast<double>(s.state[m]), static_cast<double>(s.sides[m].i.index),
          static_cast<double>(s.sides[m].j.index)})
      all.push_back(a);
  }
  return all;
}

/// Compares all quantities of the last step.
void expect_same_end(const Simulation& cpu, const Simulation& device, int env) {
  EXPECT_EQ(count_different(cpu.state(env).x, device.state(env).x), 0);
  EXPECT_EQ(count_different(cpu.state(env).v, device.state(env).v), 0);
  EXPECT_EQ(cpu.state(env).time_s, device.state(env).time_s);
  EXPECT_EQ(cpu.state(env).step, device.state(env).step);
  const StepView of_cpu = cpu.last_step(env), of_device = device.last_step(env);
  EXPECT_TRUE(
      same_bits(numbers_of(of_cpu.source.contacts()), numbers_of(of_device.source.contacts())));
}

class DeviceLeftStepsIn : public testing::TestWithParam<Precision> {};

INSTANTIATE_TEST_SUITE_P(Precisions, DeviceLeftStepsIn,
                         testing::Values(Precision::double_, Precision::mixed, Precision::float_),
                         [](const auto& one) { return name_of(one.param); });

/// The mat is pulled over a floor through which a ball rises.
const std::vector<std::string> kPulled = {
    "environments=3", "time.step_s=0.005",
    "obstacles={floor: {shape: half_space, friction: 0.4}, ball: {shape: sphere, radius_m: 0.05, "
    "friction: 0.7, path: [{time_s: 0, position_m: [0.1, 0.1, -0.04]}, {time_s: 1, position_m: "
    "[0.3, 0.1, 0]}]}}"};

TEST_P(DeviceLeftStepsIn, ComeWheneverTheyAreAskedFor) {
  BothBackends pair(soft_mats(GetParam(), kPulled));
  int k = 0;
  for (const int n : {1, 1, 1, 2, 5, 1, 3, 7, 2}) {
    pair.step_records(n);
    expect_same_end(pair.cpu, pair.device, ++k % 3);
    if (HasFailure()) return;
  }
  for (int e = 0; e < 3; ++e) expect_same_end(pair.cpu, pair.device, e);
  EXPECT_GT(pair.most_contacts, 100);
}

/// Reads some states in any order between steps and commands. States that are downloaded together
/// with others have no visible effect.
TEST_P(DeviceLeftStepsIn, ComeInAnyOrder) {
  std::vector<std::string> overrides = kPulled;
  overrides.front() = "environments=6";
  overrides.emplace_back("bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: 300}}");
  BothBackends pair(soft_mats(GetParam(), overrides));
  const std::vector<std::vector<int>> asked = {
      {4}, {}, {1, 0}, {0, 1, 2, 3, 4, 5}, {5}, {5, 3, 4}, {2, 3, 4}, {}, {0, 2, 3, 1}, {3, 3, 4}};
  for (std::size_t k = 0; k < asked.size(); ++k) {
    pair.step_records(1);
    for (const int e : asked[k]) expect_same_end(pair.cpu, pair.device, e);
    if (k == 2)
      pair.both([](Simulation* s) {
        State state = s->state(0);
        state.v.front().z += 0.01;
        s->set_state(3, state);
      });
    if (k == 6) pair.both([](Simulation* s) { s->reset(1, s->scene(2)); });
    if (HasFailure()) return;
  }
  for (int e = 5; e >= 0; --e) expect_same_end(pair.cpu, pair.device, e);
}

TEST_P(DeviceLeftStepsIn, ACallbackThatAsksGetsEveryStep) {
  BothBackends pair(soft_mats(GetParam(), kPulled));
  std::vector<std::vector<double>> of_cpu, of_device;
  const auto see = [](std::vector<std::vector<double>>* all) {
    return [all](const StepView& view) {
      if (view.record.step % 3 == 0) return;
      all->push_back(numbers_of(view.source.contacts()));
      all->push_back({view.state().x[view.record.step].z, view.state().v.back().x});
    };
  };
  pair.cpu.steps(8, {}, see(&of_cpu));
  pair.device.steps(8, {}, see(&of_device));
  const auto sorted = [](std::vector<std::vector<double>> all) {
    std::sort(all.begin(), all.end());  // environments are written in another order
    return all;
  };
  ASSERT_EQ(of_cpu.size(), of_device.size());
  EXPECT_TRUE(sorted(of_cpu) == sorted(of_device));
}

TEST_P(DeviceLeftStepsIn, CommandsCheckpointsAndResetsComeBetween) {
  BothBackends pair(soft_mats(GetParam(), kPulled));
  pair.step_records(4);
  pair.both([](Simulation* s) {
    s->set_frame_target(1, "ball", {{0.2, 0.12, 0}, Mat3d::identity()}, 0.03);
  });
  pair.step_records(3);
  expect_same_end(pair.cpu, pair.device, 1);
  pair.step_records(2);
  const Checkpoint saved = pair.device.save(2);
  pair.step_records(2);
  pair.both([&](Simulation* s) { s->load(2, saved); });
  pair.step_records(3);
  pair.both([](Simulation* s) { s->reset(0, s->scene(1)); });
  pair.step_records(4);
  pair.both([](Simulation* s) { s->set_state(1, s->state(2)); });
  pair.step_records(2);
  // A command after the step does not change its end state.
  pair.both([](Simulation* s) {
    s->set_frame_target(0, "ball", {{0.3, 0.3, 0}, Mat3d::identity()}, 0.01);
  });
  for (int e = 0; e < 3; ++e) expect_same_end(pair.cpu, pair.device, e);
  pair.step(3);
}

/// Changes some environments of a batch while the states of the others are on the device.
TEST_P(DeviceLeftStepsIn, EnvironmentsBeginAnewAmongOthersThatGoOn) {
  std::vector<std::string> scene = kPulled;
  scene[0] = "environments=4";
  scene.emplace_back("bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: 300}}");
  BothBackends pair(soft_mats(GetParam(), scene));
  pair.step_records(2);
  const Scene first = pair.cpu.scene(0);
  Scene bare = first;
  bare.obstacles.pop_back();  // another number of candidate pairs
  Scene heavy = first;
  heavy.soft_bodies.front().material.density_kg_m3 *= 1.5;
  heavy.soft_bodies.front().pose.position.z -= 1e-3;
  std::vector<Scene> own;
  std::vector<Checkpoint> early;
  for (int e = 0; e < 4; ++e) {
    own.push_back(pair.cpu.scene(e));
    early.push_back(pair.device.save(e));
  }
  for (int round = 0; round < 16 && !HasFailure(); ++round) {
    const int e = (3 * round + round / 4) % 4, other = (e + 1) % 4;
    pair.both([&](Simulation* s) {
      switch (round % 8) {
        case 0:
          return s->reset(e, heavy);
        case 1:
          s->reset(e, s->scene(e));
          return s->reset(other, heavy);
        case 2:
          return s->set_state(e, s->state(e));
        case 3:
          s->reset(other, own[other]);
          return s->load(other, early[other]);
        case 4:
          return s->set_frame_target(
              e, "ball", {{std::numeric_limits<double>::quiet_NaN(), 0, 0}, Mat3d::identity()}, 1);
        case 5:
          return s->reset(e, bare);
        case 6:
          return s->reset(other, first);
        default:
          for (int all = 0; all < 4; ++all) s->reset(all, first);
      }
    });
    pair.step_records(1 + round % 3);
    if (round % 3 == 0) expect_same_end(pair.cpu, pair.device, other);
  }
  for (int e = 0; e < 4; ++e) {
    expect_same_end(pair.cpu, pair.device, e);
    EXPECT_EQ(pair.cpu.save(e).solver, pair.device.save(e).solver);  // order of the rows, W
  }
}

/// The W of blocks of A depends on which rows are in contact.
TEST(DeviceLeftSteps, HaveTheCpusBitsWithEveryW) {
  for (const auto& one : words_of(WKind{})) {
    SCOPED_TRACE(one.word);
    std::vector<std::string> scene = kPulled;
    scene.emplace_back("bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: 60}}");
    scene.emplace_back(std::string("solver.w=") + one.word);
    BothBackends pair(soft_mats(Precision::double_, scene));
    pair.step_records(3);
    pair.both([](Simulation* s) { s->reset(1, s->scene(0)); });
    pair.step_records(2);
    for (int e = 0; e < 3; ++e) expect_same_end(pair.cpu, pair.device, e);
  }
}

TEST_P(DeviceLeftStepsIn, OneThatFailsStandsAtItsLastState) {
  BothBackends pair(soft_mats(GetParam(), kPulled));
  pair.step_records(5);
  pair.both([](Simulation* s) {
    s->set_frame_target(1, "ball",
                        {{std::numeric_limits<double>::quiet_NaN(), 0, 0}, Mat3d::identity()}, 0.1);
  });
  pair.step_records(3);
  EXPECT_TRUE(pair.device.failed(1));
  for (int e = 0; e < 3; ++e) {
    EXPECT_EQ(pair.cpu.failed(e), pair.device.failed(e));
    expect_same_end(pair.cpu, pair.device, e);
  }
  pair.step_records(2);
  pair.both([](Simulation* s) { s->set_state(1, s->state(0)); });
  pair.step(4);
}

/// The node ranges of the other environments do not change.
TEST_P(DeviceLeftStepsIn, OneThatFailedAtOnceBeginsAmongOthersThatGoOn) {
  std::vector<std::string> scene = kPulled;
  scene.emplace_back("bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: 300}}");
  BothBackends pair(soft_mats(GetParam(), scene));
  pair.both([](Simulation* s) {
    s->set_frame_target(1, "ball",
                        {{std::numeric_limits<double>::quiet_NaN(), 0, 0}, Mat3d::identity()}, 0.1);
  });
  pair.step_records(4);
  EXPECT_TRUE(pair.device.failed(1));
  pair.both([](Simulation* s) { s->reset(1, s->scene(0)); });
  pair.step_records(3);
  for (int e = 0; e < 3; ++e) expect_same_end(pair.cpu, pair.device, e);
}

/// Rotating frames, nodes with several attachments, and different attachments per environment.
const std::string kHeld =
    "attachments={near: {body: mat, node_set: x_min, stiffness_N_m: 300, path: [{time_s: 0, "
    "position_m: [0, 0, 0]}, {time_s: 0.5, position_m: [0.02, 0, 0.03], orientation_wxyz: [0.9, "
    "0.3, 0, 0.3162278]}]}, far: {body: mat, node_set: x_max, release_time_s: 0.05, path: "
    "[{time_s: 0, "
    "position_m: [0.1, 0, 0]}]}, again: {body: mat, node_set: x_min, stiffness_N_m: 77, path: "
    "[{time_s: 0, position_m: [0, 0, 0.01]}]}}";

TEST_P(DeviceLeftStepsIn, AttachedNodesAreLoadedAndMeasuredThere) {
  std::vector<std::string> scene = kPulled;
  scene.push_back(kHeld);
  BothBackends pair(soft_mats(GetParam(), scene));
  pair.step_records(4);
  pair.both([](Simulation* s) {  // while the device has the state
    s->set_frame_target(2, "near", {{0.01, 0, 0.02}, Mat3d::identity()}, 0.03);
    s->set_holding(1, "again", false);
  });
  pair.step_records(3);
  pair.both([](Simulation* s) { s->set_holding(1, "again", true); });  // at the current positions
  pair.step_records(5);                                                // "far" is released
  const Checkpoint saved = pair.device.save(1);
  pair.step_records(2);
  Scene alone = pair.cpu.scene(0);
  alone.attachments.resize(1);
  pair.both([&](Simulation* s) {
    s->load(1, saved);
    s->reset(2, alone);
  });
  pair.step_records(4);
  for (int e = 0; e < 3; ++e) expect_same_end(pair.cpu, pair.device, e);
  const StepRecord record = pair.device.step()[0];
  ASSERT_EQ(record.sensors.size(), 3);
  for (const int k : {0, 2}) EXPECT_GT(norm(record.sensors[k].torque_Nm), 0);
  EXPECT_EQ(norm(record.sensors[1].force_N), 0);
}

TEST_P(DeviceLeftStepsIn, AnAttachmentThatIsBeyondTheNumbersThereAreFailsItsEnvironment) {
  BothBackends pair(soft_mats(GetParam(), kPulled));
  pair.step_records(4);
  pair.both([](Simulation* s) {
    s->set_frame_target(1, "grip", {{0, 1e307, 0}, Mat3d::identity()}, 0.005);
  });
  pair.step_records(1);
  EXPECT_TRUE(pair.device.failed(1));
  EXPECT_EQ(pair.cpu.last_step(1).record.solve.reason,
            pair.device.last_step(1).record.solve.reason);
  pair.step_records(2);
  for (int e = 0; e < 3; ++e) expect_same_end(pair.cpu, pair.device, e);
}

/// A frame that moves and rotates in every step.
const char* const kTurns =
    "attachments.grip.path=[{time_s: 0}, {time_s: 1, position_m: [0.4, 0.15, 0.1], "
    "orientation_wxyz: [0.9, 0, -0.4358899, 0]}]";

/// Holds for any number of nodes, also attached ones, and any number of environments.
TEST(DeviceLeftSteps, MoveNothingOfTheSizeOfTheirNodes) {
  std::int64_t of_one = 0;
  for (const Precision precision : {Precision::double_, Precision::mixed, Precision::float_})
    for (const int n_env : {1, 8}) {
      std::vector<std::int64_t> up, down;
      for (const char* n_node : {"600", "1400"}) {
        Simulation simulation =
            soft_mats(precision,
                      {"environments=" + std::to_string(n_env), kTurns,
                       std::string("bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: ") +
                           n_node + "}}"})
                .on(Backend::cuda);
        for (int step = 0; step < 4; ++step) simulation.step();
        CheckedHost& device = checked_host();
        device.bytes_up = device.bytes_down = 0;
        const std::vector<StepRecord> records = simulation.step();
        for (const StepRecord& record : records) EXPECT_GT(record.n_contact, 100);
        up.push_back(device.bytes_up);
        down.push_back(device.bytes_down);
      }
      SCOPED_TRACE(testing::Message() << name_of(precision) << ", " << n_env << " environments");
      EXPECT_EQ(up[0], up[1]);
      EXPECT_EQ(down[0], down[1]);
      if (n_env == 1) of_one = up[1] + down[1];
      EXPECT_LE(of_one, 1000);
      EXPECT_LE(up[1] + down[1] - of_one, 512 * (n_env - 1));
    }
}

/// Bytes and copies that `ask` downloads.
struct Down {
  std::int64_t bytes = 0, copies = 0;
};
template <class Ask>
Down down_for(const Ask& ask) {
  CheckedHost& device = checked_host();
  const Down before{device.bytes_down, device.n_copy};
  ask();
  return {device.bytes_down - before.bytes, device.n_copy - before.copies};
}

Simulation small_mats(int n_env) {
  return soft_mats(Precision::double_, {"environments=" + std::to_string(n_env),
                                        "bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: "
                                        "300}}"})
      .on(Backend::cuda);
}

void take_steps(Simulation* simulation, int n) {
  for (int k = 0; k < n; ++k) simulation->step();
}

TEST(DeviceLeftSteps, OneThatIsAskedForComesAlone) {
  Simulation simulation = small_mats(16);
  take_steps(&simulation, 4);
  const auto ask = [&](int e) { return down_for([&] { simulation.state(e); }).bytes; };
  const auto n_node = static_cast<std::int64_t>(simulation.state(7).x.size());
  simulation.step();
  // Start-of-step state, solution, and a force and an index per contact. If the host has the
  // start-of-step state, 48 bytes per node less.
  const auto expect_own = [&](int e, std::int64_t of_node) {
    const std::int64_t bytes = ask(e);
    const auto n_contact = static_cast<std::int64_t>(simulation.last_step(e).contacts().size());
    EXPECT_GT(n_contact, 10);
    EXPECT_EQ(bytes, of_node * n_node + 28 * n_contact + 4) << "environment " << e;
    EXPECT_EQ(ask(e), 0);
  };
  expect_own(7, 24);
  expect_own(3, 72);
  expect_own(12, 72);
  simulation.step();
  expect_own(3, 24);
  expect_own(11, 72);
}

TEST(DeviceLeftSteps, ACheckpointBringsItsOwn) {
  std::vector<std::int64_t> bytes;
  for (const int n_env : {2, 9}) {
    Simulation simulation = small_mats(n_env);
    take_steps(&simulation, 4);
    bytes.push_back(down_for([&] { simulation.save(1); }).bytes);
    EXPECT_EQ(down_for([&] { simulation.save(1); }).bytes, 0);
  }
  EXPECT_EQ(bytes[0], bytes[1]);
}

/// States that are read one after another come in few copies.
TEST(DeviceLeftSteps, ThoseAfterEachOtherComeTogether) {
  Simulation simulation = small_mats(16);
  take_steps(&simulation, 4);
  const std::int64_t of_one = down_for([&] { simulation.state(9); }).copies;
  simulation.step();
  simulation.step();
  const Down all = down_for([&] {
    for (int e = 0; e < 16; ++e) simulation.state(e);
  });
  EXPECT_LE(all.copies, 16 * 2 + 5 * of_one);  // start-of-step states one by one
}

/// A step after a reset uploads the new environment, and little of the others.
TEST(DeviceLeftSteps, MoveOneEnvironmentThatBeginsAnew) {
  std::vector<std::int64_t> up;
  for (const int n_env : {4, 12}) {
    Simulation simulation = small_mats(n_env);
    take_steps(&simulation, 4);
    CheckedHost& device = checked_host();
    device.bytes_up = device.bytes_down = 0;
    simulation.reset(1, simulation.scene(0));
    simulation.step();
    EXPECT_LE(device.bytes_down, 8000 + 512 * n_env);
    up.push_back(device.bytes_up);
    const std::int64_t n_row = simulation.layout(1).n_row() + kBlockLanes;
    EXPECT_LE(up.back(), 200 * n_row + 4000 * n_env);
    device.bytes_up = 0;
    simulation.step();
    EXPECT_LE(device.bytes_up, 8000 + 512 * n_env);
  }
  EXPECT_LE(up[1] - up[0], 8 * 4000);
}

}  // namespace
}  // namespace nodia
