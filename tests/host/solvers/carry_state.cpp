/// What a step takes over from the one before, against what the host makes of the solution, bit for
/// bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "host/solvers/cond/loop_problem.hpp"
#include "host/step/soft_input.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/step/carry_state.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/launchers.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/random_soft_model.hpp"
#include "tests/support/same_bits.hpp"

namespace nodia {
namespace {

using test::count_different;
using test::FemRandom;
using test::OneLaneLauncher;

constexpr int kSoft = 230, kNode = 300, kEnv = 3;

/// Environments whose first rows are soft nodes, with a solution in a role of each.
template <class Precision>
struct Carrying {
  using Real = typename Precision::Real;

  ContactProblem p = random_problem({.seed = 8, .n_env = kEnv, .n_node = kNode});
  WarmStart cold;
  LoopProblem<Precision> problem{CommonOptions{}, CondOptions{}};
  std::vector<VfpiEnvironment<Precision>> env;
  std::vector<Carried> carried;
  std::vector<std::vector<std::int32_t>> node;
  std::vector<Vec3d> x, v, solution;  ///< of the soft nodes
  std::vector<SoftRows> soft;
  StateCarry<Precision> carry;

  Carrying() {
    problem.set(p, cold);
    env = problem.environments();
    FemRandom random(5);
    x.resize(kEnv * kSoft);
    v.resize(kEnv * kSoft);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = random.vector(2);
      v[i] = random.vector(3);
    }
    for (int e = 0; e < kEnv; ++e) {
      const bool continues = e != 1;
      const int start = continues ? (e + 2) % 4 : 0;
      env[e].control->solution = static_cast<std::uint8_t>(continues ? start : 3);
      carried.push_back({continues ? 1 : 0, continues ? 1 : 0, 0, {continues ? 0 : 1, 4 * e}});
      node.push_back(problem.rows().nodes(e));
      for (int i = 0; i < kSoft; ++i) {
        const auto v_hat = cast<Real>(random.vector(2));
        solution.push_back(cast<double>(v_hat));
        store_state<Real>(env[e], env[e].node[start], problem.rows().local_row(e * kNode + i),
                          v_hat, DirectMemory{});
      }
    }
    for (int e = 0; e < kEnv; ++e) {
      SoftRows s;
      s.model.n_node = kSoft;
      s.step = {0.007, 0.6};
      s.n_row = static_cast<int>(node[e].size());
      s.node = node[e].data();
      s.x = reinterpret_cast<double*>(x.data() + e * kSoft);
      s.v = reinterpret_cast<double*>(v.data() + e * kSoft);
      soft.push_back(s);
      carry.n_chunk = std::max(carry.n_chunk, env[e].n_chunk);
    }
    carry.n_env = kEnv;
    carry.env = env.data();
    carry.soft = soft.data();
    carry.carried = carried.data();
    carry.control = problem.arrays().control.data();
    carry.acceleration = Acceleration::heavy_ball;
  }

  template <class Launcher>
  void check(Launcher* launcher) {
    std::vector<Vec3d> end_x = x, end_v = v;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i / kSoft == 1) continue;  // it does not go on
      end_v[i] = soft[0].step.next_velocity(solution[i], v[i]);
      end_x[i] = x[i] + soft[0].step.step_s * solution[i];
    }
    launch_advance(*launcher, carry);
    EXPECT_EQ(count_different(x, end_x), 0);
    EXPECT_EQ(count_different(v, end_v), 0);

    for (int e = 0; e < kEnv; ++e) {
      VfpiControl& last = carry.control[e];
      last.lambda_max = 3 + e;
      last.body_scale = 0.5;
      last.iterations = 9;
      last.stage = VfpiControl::Stage::done;
    }
    launch_start(*launcher, carry);
    for (int e = 0; e < kEnv; ++e) {
      const VfpiControl& c = carry.control[e];
      EXPECT_EQ(c.stage, VfpiControl::Stage::waiting);
      EXPECT_EQ(c.iterations, 0);
      EXPECT_EQ(c.extrapolation.kind, Acceleration::heavy_ball);
      EXPECT_EQ(c.new_w, e == 1);
      EXPECT_EQ(c.power_products, 4 * e);
      EXPECT_EQ(c.lambda_max, e == 1 ? 0 : 3 + e);
      EXPECT_EQ(c.body_scale, e == 1 ? 1 : 0.5);
    }
    for (int e = 0; e < kEnv; ++e)
      for (int role = 0; role < 4; ++role)
        for (int i = 0; i < kSoft; ++i) {
          const Vec3d there = cast<double>(load_state<Real>(
              env[e], env[e].node[role], problem.rows().local_row(e * kNode + i), DirectMemory{}));
          ASSERT_EQ(norm(there - solution[e * kSoft + i]), 0);
        }
  }
};

template <class Precision>
void check_carrying() {
  OneLaneLauncher one_lane;
  Carrying<Precision>().check(&one_lane);
  for (const CpuIsa isa : available_isas()) {
    const CpuLauncher in_packs(isa, 2);
    Carrying<Precision>().check(&in_packs);
  }
  Carrying<Precision> watched;
  RaceDetector detector({.seed = 4, .n_block = 3, .strict_regions = true});
  const auto name = [&](const char* what, auto& array) {
    detector.name_region(array.data(), array.size() * sizeof(array[0]), what);
  };
  name("x", watched.x);
  name("v", watched.v);
  for (auto& role : watched.problem.arrays().node) name("node", role);
  name("control", watched.problem.arrays().control);
  watched.check(&detector);
  EXPECT_TRUE(detector.conflicts().empty());
}

TEST(CarryState, NodesGoToTheEndOfTheStepAndEveryRoleHasTheAnswer) {
  check_carrying<DoublePrecision>();
  check_carrying<MixedPrecision>();
  check_carrying<FloatPrecision>();
}

/// A state that is what the solution makes of the last is not sent again; any other is.
TEST(CarryState, AStateThatFollowsIsKnownByItsBits) {
  test::RandomSoftModel m(3, 0.1);
  ContactProblem p;
  p.A = BlockMatrix(m.model.pattern());
  p.b.resize(m.x.size());
  p.env_node_begin = {0, p.n_node()};
  p.env_contact_begin = {0, 0};
  p.theta = 0.7;
  p.derive_topology();
  p.soft.resize(1);
  const auto set = [&] { p.soft[0] = {&m.model, m.x.data(), m.v.data(), m.gravity, {}, {}, {}}; };
  LoopRanges ranges;
  RowLists<HostMemory> lists;
  RowLayout rows;
  rows.build(p, {}, &ranges, &lists);
  const auto solution = [&](int, std::int32_t node) { return Vec3d{0.1 * node, 1, -2}; };
  const auto follow = [&] {
    const TimeStep time{p.step_s, p.theta};
    for (int i = 0; i < p.n_node(); ++i) {
      m.v[i] = time.next_velocity(solution(0, i), m.v[i]);
      m.x[i] = m.x[i] + time.step_s * solution(0, i);
    }
  };
  SoftInput input;
  const auto gathered = [&] {
    set();
    input.gather(p, rows);
    EXPECT_EQ(count_different(input.x, m.x), 0);
    EXPECT_EQ(count_different(input.v, m.v), 0);
    return input.state[0];
  };
  EXPECT_EQ(gathered(), StateOf::host);
  input.advance(p, 0, 1, solution);
  follow();
  EXPECT_EQ(gathered(), StateOf::last_step);
  input.advance(p, 0, 1, solution);
  EXPECT_EQ(gathered(), StateOf::host);  // it did not follow
  input.advance(p, 0, 1, solution);
  follow();
  m.v.back().z = std::nextafter(m.v.back().z, 9);
  EXPECT_EQ(gathered(), StateOf::host);
  input.advance(p, 0, 1, solution);
  follow();
  p.soft[0] = {};  // it rests, and its state is not known afterwards
  input.gather(p, rows);
  EXPECT_EQ(input.state[0], StateOf::none);
  EXPECT_EQ(input.sent.size(), p.b.size());
  EXPECT_EQ(gathered(), StateOf::host);
}

/// A state that was left where it is assembled is the last step's, whatever the host has; what
/// comes later from the host is compared once it was taken, and else sent.
TEST(CarryState, AStateThatIsLeftIsTheLastStepsAlone) {
  test::RandomSoftModel m(3, 0.1);
  ContactProblem p;
  p.A = BlockMatrix(m.model.pattern());
  p.b.resize(m.x.size());
  p.env_node_begin = {0, p.n_node()};
  p.env_contact_begin = {0, 0};
  p.derive_topology();
  p.soft.resize(1);
  LoopRanges ranges;
  RowLists<HostMemory> lists;
  RowLayout rows;
  rows.build(p, {}, &ranges, &lists);
  const auto solution = [&](int, std::int32_t node) { return Vec3d{0.1 * node, 1, -2}; };
  SoftInput input;
  const auto gathered = [&](bool is_on_device) {
    SoftSource& source = p.soft[0];
    source.model = &m.model;
    source.x = is_on_device ? nullptr : m.x.data();
    source.v = is_on_device ? nullptr : m.v.data();
    source.is_on_device = is_on_device;
    input.gather(p, rows);
    EXPECT_EQ(input.is_on_device(0), is_on_device);
    return input.state[0];
  };
  EXPECT_EQ(gathered(false), StateOf::host);
  EXPECT_EQ(gathered(true), StateOf::last_step);
  // The host still has the first state: it is not the launcher's side's.
  EXPECT_EQ(gathered(false), StateOf::host);
  EXPECT_EQ(gathered(true), StateOf::last_step);
  int n_fetched = 0;
  input.take_starts(0, 1, [&](int begin, int end) {
    ++n_fetched;
    EXPECT_EQ(begin, 0);
    EXPECT_EQ(end, 1);
    input.x = m.x;
    input.v = m.v;
  });
  input.take_starts(0, 1, [&](int, int) { ++n_fetched; });
  EXPECT_EQ(n_fetched, 1);
  EXPECT_FALSE(input.is_on_device(0));
  input.advance(p, 0, 1, solution);
  m.x = input.x;
  m.v = input.v;
  EXPECT_EQ(gathered(false), StateOf::last_step);
}

}  // namespace
}  // namespace nodia
