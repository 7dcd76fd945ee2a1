/// Tests node queries on the device: the bits equal the CPU's, and no byte passes through the host
/// if the device has the nodes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/core/error.hpp"
#include "tests/checked_host/both_backends.hpp"
#include "tests/devices/checked_host/checked_host.hpp"
#include "tests/devices/race_detector/launcher.hpp"

namespace nodia {
namespace {

using test::BothBackends;
using testing::HasSubstr;

constexpr NodeQuantity kQuantities[] = {NodeQuantity::position, NodeQuantity::velocity};

test::ScenarioBatch mats(Precision precision) {
  return {"scenarios/soft_mat/soft_mat.yaml",
          precision,
          {"environments=3", "time.step_s=0.005",
           "bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: 300}}"}};
}

/// Nodes of body 0 of environments [begin, end). Device memory of the backend is host memory.
DeviceNodes ask(const Simulation& s, int begin, int end, NodeQuantity quantity) {
  std::vector<Simulation::BodyOf> bodies;
  for (int e = begin; e < end; ++e) bodies.push_back({e, 0});
  return std::move(s.device_nodes(bodies, quantity).value());
}

std::int64_t up_while_asked(const Simulation& s, int begin, int end, NodeQuantity quantity) {
  const std::int64_t before = checked_host().bytes_up;
  ask(s, begin, end, quantity);
  return checked_host().bytes_up - before;
}

void expect_values(const DeviceNodes& nodes, const Simulation& cpu, int begin, int end,
                   NodeQuantity quantity) {
  const double* own = nodes.values.data();
  for (int e = begin; e < end; ++e) {
    const BodyRange& range = cpu.layout(e)[0];
    const State& state = cpu.state(e);
    const Vec3d* expected = quantity == NodeQuantity::position ? state.x.data() + range.first
                                                               : state.v.data() + range.first_row;
    EXPECT_EQ(std::memcmp(own, expected, sizeof(Vec3d) * range.n), 0) << "environment " << e;
    own += 3 * std::ptrdiff_t{range.n};
  }
  EXPECT_EQ(own, nodes.values.data() + nodes.values.size());
}

/// @return bytes copied from and to the host
std::int64_t expect_the_cpus(const BothBackends& pair, int begin, int end) {
  CheckedHost& device = checked_host();
  const std::int64_t before = device.bytes_up + device.bytes_down;
  for (const NodeQuantity quantity : kQuantities)
    expect_values(ask(pair.device, begin, end, quantity), pair.cpu, begin, end, quantity);
  return device.bytes_up + device.bytes_down - before;
}

class DeviceNodesIn : public testing::TestWithParam<Precision> {};

INSTANTIATE_TEST_SUITE_P(Precisions, DeviceNodesIn,
                         testing::Values(Precision::double_, Precision::mixed, Precision::float_),
                         [](const auto& one) { return name_of(one.param); });

TEST_P(DeviceNodesIn, HaveTheBitsOfTheCpuAndStayThere) {
  BothBackends pair(mats(GetParam()));
  expect_the_cpus(pair, 0, 3);  // before any step
  for (const int n : {1, 1, 2, 3}) {
    pair.step_records(n);
    expect_the_cpus(pair, 0, 3);
    expect_the_cpus(pair, 1, 2);
  }
  pair.step_records(1);
  expect_the_cpus(pair, 0, 3);  // the nodes are uploaded once
  EXPECT_EQ(expect_the_cpus(pair, 0, 3), 0);
  pair.step_records(1);
  EXPECT_EQ(expect_the_cpus(pair, 0, 3), 0);
  // The same holds if the host also has the nodes.
  pair.step(1);
  EXPECT_EQ(expect_the_cpus(pair, 0, 3), 0);
}

TEST_P(DeviceNodesIn, OfStatesThatWereSetComeFromTheHost) {
  BothBackends pair(mats(GetParam()));
  pair.step_records(3);
  pair.both([](Simulation* s) {
    State state = s->state(2);
    for (Vec3d& v : state.v) v.x += 0.1;
    s->set_state(1, state);
  });
  expect_the_cpus(pair, 0, 3);
  const auto bytes = static_cast<std::int64_t>(sizeof(Vec3d)) * pair.cpu.layout(1)[0].n;
  EXPECT_EQ(up_while_asked(pair.device, 0, 3, NodeQuantity::velocity), bytes);
  pair.both([](Simulation* s) { s->reset(0, s->scene(2)); });
  expect_the_cpus(pair, 0, 3);
  pair.step_records(2);
  expect_the_cpus(pair, 0, 3);
  EXPECT_EQ(expect_the_cpus(pair, 0, 3), 0);
}

TEST_P(DeviceNodesIn, AreACopyOfTheirMoment) {
  BothBackends pair(mats(GetParam()));
  pair.step_records(3);
  const DeviceNodes then = ask(pair.device, 0, 3, NodeQuantity::position);
  BothBackends before(mats(GetParam()));
  before.step_records(3);
  pair.step_records(4);
  expect_values(then, before.cpu, 0, 3, NodeQuantity::position);
}

/// Steps of this scenario end on the host, but its nodes stay on the device.
TEST(DeviceNodes, OfABallInAHandStayThere) {
  BothBackends pair({"scenarios/soft_ball/soft_ball.yaml", Precision::mixed, {}});
  pair.step_records(2);
  expect_the_cpus(pair, 0, 1);
  EXPECT_EQ(expect_the_cpus(pair, 0, 1), 0);
}

TEST(DeviceNodes, AreGatheredWithoutARace) {
  BothBackends pair(mats(Precision::float_));
  pair.step_records(3);
  RaceDetector launcher({.seed = 3});
  checked_host().detector = &launcher;
  expect_the_cpus(pair, 0, 3);
  checked_host().detector = nullptr;
  EXPECT_TRUE(launcher.conflicts().empty());
}

TEST(DeviceNodes, OfADeviceThatFailsAreRefusedInWords) {
  BothBackends pair(mats(Precision::double_));
  pair.step_records(3);
  const auto error = [&] {
    try {
      ask(pair.device, 0, 3, NodeQuantity::position);
    } catch (const RuntimeError& e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  checked_host().faulty_kernel = "gather_nodes";
  EXPECT_THAT(error(), HasSubstr("V-FPI loop: an illegal memory access was encountered"));
  checked_host().faulty_kernel = "iterate";
  EXPECT_THROW(pair.device.step(), RuntimeError);
  checked_host().faulty_kernel.clear();
  EXPECT_THAT(error(), HasSubstr("was lost with the device that failed"));
}

}  // namespace
}  // namespace nodia
