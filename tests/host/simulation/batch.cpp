/// Environments of a batch: each is bit for bit what it is alone, and fails alone.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "host/base/threads.hpp"
#include "host/errors/errors.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/execution.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/random_scenes.hpp"

namespace nodia::test {
namespace {

constexpr int kEnvs = 5;
constexpr int kSteps = 15;

/// Everything about an environment's steps that must not depend on its company.
struct Trace {
  std::vector<StepRecord> records;
  std::vector<State> states;
  std::vector<std::vector<Vec3d>> lambda;
};

std::vector<Scene> random_scenes() {
  std::vector<Scene> scenes;
  for (unsigned e = 0; e < kEnvs; ++e) scenes.push_back(random_scene(e));
  return scenes;
}

/// @param first  number of the first scene among those of the batch
std::vector<Trace> run_shaken(std::vector<Scene> scenes, const SolverOptions& options,
                              int first = 0, int steps = kSteps) {
  Simulation simulation(std::move(scenes), options);
  std::vector<Trace> traces(simulation.n_env());
  for (int e = 0; e < simulation.n_env(); ++e)
    simulation.set_state(e, shaken(simulation.state(e), 100 + first + e, 0.05));
  for (int k = 0; k < steps; ++k)
    simulation.step([&](const StepView& view) {
      Trace& trace = traces[view.record.env];
      trace.records.push_back(view.record);
      trace.states.push_back(view.state());
      trace.lambda.push_back(view.lambda());
    });
  return traces;
}

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

void expect_same(const Trace& a, const Trace& b) {
  ASSERT_EQ(a.records.size(), b.records.size());
  for (std::size_t k = 0; k < a.records.size(); ++k) {
    const StepRecord &r = a.records[k], &s = b.records[k];
    ASSERT_TRUE(same_bits(a.states[k], b.states[k])) << "step " << k + 1;
    ASSERT_TRUE(same_bits(a.lambda[k], b.lambda[k])) << "step " << k + 1;
    EXPECT_EQ(r.step, s.step);
    EXPECT_EQ(r.n_contact, s.n_contact);
    EXPECT_EQ(r.n_stick, s.n_stick);
    EXPECT_EQ(r.n_slip, s.n_slip);
    EXPECT_EQ(r.solve.status, s.solve.status);
    EXPECT_EQ(r.solve.iterations, s.solve.iterations);
    const double pairs[][2] = {{r.solve.relative_residual, s.solve.relative_residual},
                               {r.solve.natural_map_error, s.solve.natural_map_error},
                               {r.solve.certificate_J, s.solve.certificate_J},
                               {r.solve.lambda_max_WA, s.solve.lambda_max_WA},
                               {r.energy_error_J, s.energy_error_J},
                               {r.max_penetration_m, s.max_penetration_m},
                               {r.kinetic_energy_J, s.kinetic_energy_J},
                               {r.potential_energy_J, s.potential_energy_J},
                               {r.frame_work_J, s.frame_work_J},
                               {r.push_work_J, s.push_work_J},
                               {r.obstacle_force_N.z, s.obstacle_force_N.z}};
    for (const auto& [x, y] : pairs) EXPECT_TRUE(same(x, y)) << x << " " << y;
  }
}

void expect_solo_bits(const SolverOptions& options, int steps = kSteps) {
  const std::vector<Scene> scenes = random_scenes();
  const std::vector<Trace> batch = run_shaken(scenes, options, 0, steps);
  int n_contact = 0;
  for (int e = 0; e < kEnvs; ++e) {
    SCOPED_TRACE("environment " + std::to_string(e));
    expect_same(batch[e], run_shaken({scenes[e]}, options, e, steps)[0]);
    for (const StepRecord& r : batch[e].records) n_contact = std::max(n_contact, r.n_contact);
  }
  EXPECT_GT(n_contact, 4);
}

TEST(Batch, EveryEnvironmentIsBitIdenticalToItselfAlone) {
  expect_solo_bits({});
}

TEST(Batch, SoItIsInSinglePrecisionAndWithTheExactErrorMeasures) {
  SolverOptions options;
  options.solver = "cond";
  options.execution.precision = Precision::float_;
  options.full_errors = true;
  expect_solo_bits(options, 6);
}

TEST(Batch, SoItIsWithTheSolversOnTheDelassusOperator) {
  for (const char* solver : {"pgs", "apgd"}) {
    SCOPED_TRACE(solver);
    SolverOptions options;
    options.solver = solver;
    expect_solo_bits(options, 4);
  }
}

TEST(Batch, OneTwoAndThreeThreadsAreBitIdentical) {
  SolverOptions options;
  options.solver = "cond";
  options.execution.threads = 1;
  const std::vector<Trace> one = run_shaken(random_scenes(), options);
  for (const int threads : {2, 3}) {
    options.execution.threads = threads;
    const std::vector<Trace> several = run_shaken(random_scenes(), options);
    for (int e = 0; e < kEnvs; ++e) {
      SCOPED_TRACE("environment " + std::to_string(e));
      expect_same(several[e], one[e]);
    }
  }
}

TEST(Batch, EachHasItsOwnConvergence) {
  Simulation simulation(random_scenes(), {});
  for (int k = 0; k < 8; ++k) simulation.step();
  std::vector<int> iterations;
  for (const StepRecord& r : simulation.step()) {
    EXPECT_EQ(r.solve.status, SolveStatus::converged) << r.env;
    iterations.push_back(r.solve.iterations);
  }
  EXPECT_NE(*std::min_element(iterations.begin(), iterations.end()),
            *std::max_element(iterations.begin(), iterations.end()));
}

/// One velocity of one environment is spoilt after some steps.
class Poisoned : public testing::TestWithParam<int> {};

TEST_P(Poisoned, StopsAloneWithItsStepAndReason) {
  constexpr int kBroken = 2, kBefore = 4, kAfter = 5;
  const double bad = GetParam() == 0   ? std::numeric_limits<double>::quiet_NaN()
                     : GetParam() == 1 ? std::numeric_limits<double>::infinity()
                                       : 1e200;  // finite, but nothing can be made of it
  Simulation clean(random_scenes(), {}), simulation(random_scenes(), {});
  for (int k = 0; k < kBefore; ++k) {
    clean.step();
    simulation.step();
  }
  // Environments go on from a state that was set, in both.
  for (int e = 0; e < kEnvs; ++e) {
    State state = simulation.state(e);
    if (e == kBroken) state.v[1].x = bad;
    simulation.set_state(e, state);
    clean.set_state(e, clean.state(e));
  }
  std::vector<StepRecord> seen;
  for (int k = 0; k < kAfter; ++k) {
    clean.step();
    simulation.step([&](const StepView& view) {
      if (view.record.env == kBroken) seen.push_back(view.record);
    });
  }
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].solve.status, SolveStatus::not_a_number);
  EXPECT_EQ(seen[0].step, kBefore + 1);
  EXPECT_DOUBLE_EQ(seen[0].time_s, (kBefore + 1) * 0.01);
  EXPECT_FALSE(seen[0].solve.reason.empty());
  EXPECT_TRUE(std::isnan(seen[0].kinetic_energy_J));
  EXPECT_TRUE(std::isnan(seen[0].max_penetration_m));
  EXPECT_EQ(simulation.state(kBroken).step, kBefore);
  for (int e = 0; e < kEnvs; ++e) {
    EXPECT_EQ(simulation.failed(e), e == kBroken);
    if (e != kBroken) {
      EXPECT_TRUE(same_bits(simulation.state(e), clean.state(e))) << e;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(NanInfinityAndOverflow, Poisoned, testing::Values(0, 1, 2));

TEST(Batch, AFailedEnvironmentLeavesAFiniteProblemAndStartsAgainWhenItsStateIsSet) {
  const std::vector<Scene> scenes = random_scenes();
  Simulation simulation(scenes, {});
  const State good = simulation.state(1);
  State bad = good;
  bad.x[0].z = std::numeric_limits<double>::quiet_NaN();
  simulation.set_state(1, bad);
  for (int k = 0; k < 3; ++k) simulation.step();
  ASSERT_TRUE(simulation.failed(1));
  WarmStart warm;
  const ContactProblem problem = simulation.build_problem(&warm);
  EXPECT_NO_THROW(problem.validate());
  EXPECT_EQ(problem.env_contact_begin[1], problem.env_contact_begin[2]);
  for (const Vec3d& v : warm.v) EXPECT_TRUE(is_finite(v));
  simulation.set_state(1, good);
  for (int k = 0; k < 3; ++k) simulation.step();
  Simulation solo({scenes[1]}, {});
  for (int k = 0; k < 3; ++k) solo.step();
  EXPECT_FALSE(simulation.failed(1));
  EXPECT_TRUE(same_bits(simulation.state(1), solo.state()));
}

TEST(Batch, ABadAnswerIsNotTaken) {
  Simulation simulation({random_scene(0), random_scene(1)}, {});
  WarmStart warm;
  const ContactProblem problem = simulation.build_problem(&warm);
  Solution solution;
  make_solver({})->solve(problem, warm, &solution);
  solution.v[problem.env_node_begin[1]].y = std::numeric_limits<double>::infinity();
  const State before = simulation.state(1);
  const std::vector<StepRecord> records = simulation.advance(problem, solution);
  EXPECT_FALSE(simulation.failed(0));
  EXPECT_TRUE(simulation.failed(1));
  EXPECT_EQ(records[1].solve.status, SolveStatus::not_a_number);
  EXPECT_EQ(records[1].step, 1);
  EXPECT_FALSE(records[1].solve.reason.empty());
  EXPECT_TRUE(same_bits(simulation.state(1), before));
}

TEST(Batch, TimeStepsMustBeTheSame) {
  Scene other = random_scene(1);
  other.time.step_s = 0.005;
  EXPECT_THROW(Simulation({random_scene(0), other}, {}), InputError);
}

TEST(Batch, ABadSceneAmongGoodOnesIsNamed) {
  std::vector<Scene> scenes = random_scenes();
  scenes[3].soft_bodies[0].material.youngs_modulus_Pa = -1;
  try {
    Simulation simulation(scenes, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("youngs_modulus_Pa"), std::string::npos);
  }
}

TEST(ForEachEnvironment, CallsEachOnceAndThrowsTheErrorOfTheLowest) {
  std::vector<int> calls(40);
  for_each_environment(40, 3, [&](int e) { ++calls[e]; });
  EXPECT_EQ(calls, std::vector<int>(40, 1));
  try {
    for_each_environment(40, 3, [&](int e) {
      ++calls[e];
      if (e % 10 == 7) throw InputError(std::to_string(e));
    });
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "7");
  }
  EXPECT_EQ(calls, std::vector<int>(40, 2));
}

}  // namespace
}  // namespace nodia::test
