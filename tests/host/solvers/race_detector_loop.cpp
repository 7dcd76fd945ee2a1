/// The whole V-FPI loop through the race detector, against the CPU's launcher:
/// the same bits for every precision, step size, acceleration and stopping rule, whatever the order
/// of blocks and lanes and however many environments iterate at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/cpu_loop.hpp"
#include "kernels/core/error.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/loop_batch.hpp"
#include "tests/support/loop_cases.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/same_bits.hpp"
#include "tests/support/take_solution.hpp"

namespace nodia {
namespace {

using test::LoopCase;

template <class Precision>
struct LoopRun {
  explicit LoopRun(const SolverOptions& options) : problem(options, options.of<CondOptions>()) {}
  LoopProblem<Precision> problem;
  Solution solution;
};

void expect_same_run(const Solution& a, const Solution& b) {
  ASSERT_EQ(a.env.size(), b.env.size());
  for (std::size_t e = 0; e < a.env.size(); ++e) {
    EXPECT_EQ(a.env[e].status, b.env[e].status);
    EXPECT_EQ(a.env[e].iterations, b.env[e].iterations);
    EXPECT_EQ(a.env[e].restarts, b.env[e].restarts);
    EXPECT_EQ(a.env[e].lambda_max_WA, b.env[e].lambda_max_WA);
    EXPECT_EQ(a.env[e].velocity_step, b.env[e].velocity_step);
  }
  const auto same = [](const std::vector<Vec3d>& x, const std::vector<Vec3d>& y) {
    return test::count_different(x, y) == 0;
  };
  EXPECT_TRUE(same(a.v, b.v));
  EXPECT_TRUE(same(a.lambda, b.lambda));
}

template <class Precision>
void check(const LoopCase& c) {
  const ContactProblem p = random_problem(c.problem);
  const WarmStart cold;
  LoopRun<Precision> cpu(c.solver);
  cpu.problem.set(p, cold);
  std::vector<VfpiTimes> times;
  run_cpu_loop(&cpu.problem, 2, &times);
  test::take_solution(&cpu.problem, &cpu.solution);

  struct Order {
    std::uint64_t seed;
    int n_block, capacity;
  };
  for (const Order order : {Order{1, 1, 1}, Order{2, 7, 2}}) {
    LoopRun<Precision> detector(c.solver);
    detector.problem.set(p, cold);
    test::LoopBatch<Precision> batch(&detector.problem, order.capacity);
    RaceDetector launcher({.seed = order.seed, .n_block = order.n_block, .strict_regions = true});
    batch.for_each_array([&](auto* data, std::size_t bytes, const char* name) {
      launcher.name_region(data, bytes, name);
    });
    batch.solve(&launcher);
    test::take_solution(&detector.problem, &detector.solution);
    expect_same_run(cpu.solution, detector.solution);
  }
}

class RaceDetectorLoop : public testing::TestWithParam<LoopCase> {};

TEST_P(RaceDetectorLoop, GivesTheCpusBitsInDouble) {
  check<DoublePrecision>(GetParam());
}
TEST_P(RaceDetectorLoop, GivesTheCpusBitsInMixedPrecision) {
  check<MixedPrecision>(GetParam());
}
TEST_P(RaceDetectorLoop, GivesTheCpusBitsInFloat) {
  check<FloatPrecision>(GetParam());
}

TEST(RaceDetectorLoop, TheCaseThatShouldFallBackDoes) {
  for (const LoopCase& c : test::loop_cases()) {
    if (c.name != "falls_back") continue;
    SolverOptions options = c.solver;
    options.execution.precision = Precision::float_;
    Solution solution;
    make_solver(options)->solve(random_problem(c.problem), {}, &solution);
    for (const SolveReport& report : solution.env) EXPECT_GE(report.restarts, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, RaceDetectorLoop, testing::ValuesIn(test::loop_cases()),
                         [](const auto& one) { return one.param.name; });

TEST(RaceDetectorLoop, AnEnvironmentThatIsNotANumberStopsAloneAndTheQueueGoesOn) {
  const RandomProblemOptions options{.seed = 9, .n_env = 5, .n_node = 20};
  const ContactProblem good = random_problem(options);
  ContactProblem bad = good;
  bad.b[2 * 20 + 3].x = std::numeric_limits<double>::quiet_NaN();
  const WarmStart cold;
  const auto solve = [&](const ContactProblem& p) {
    SolverOptions cond;
    cond.tolerance = kResidualTolerance;
    LoopRun<DoublePrecision> answer{cond};
    answer.problem.set(p, cold);
    test::LoopBatch<DoublePrecision> batch(&answer.problem, 2);
    RaceDetector launcher;
    batch.solve(&launcher);
    test::take_solution(&answer.problem, &answer.solution);
    return answer.solution;
  };
  const Solution with = solve(bad), without = solve(good);
  EXPECT_EQ(with.env[2].status, SolveStatus::not_a_number);
  EXPECT_EQ(with.env[2].iterations, 1);
  for (const int e : {0, 1, 3, 4}) {
    EXPECT_EQ(with.env[e].status, SolveStatus::converged);
    EXPECT_EQ(with.env[e].iterations, without.env[e].iterations);
    EXPECT_EQ(0, std::memcmp(&with.v[20 * e], &without.v[20 * e], 20 * sizeof(Vec3d)));
  }
}

/// Runs the iteration of any contacts where the schedule asks for that of common ones.
struct GeneralLauncher {
  RaceDetector detector{RaceOptions{}};
  int n_replaced = 0;

  template <class Kernel, class Count>
  void launch(const char* name, const Kernel& kernel, Count n_item) {
    detector.launch(name, kernel, n_item);
  }
  template <class Precision, class Count>
  void launch(const char* name, const Iterate<Precision, ContactCase::common>& kernel,
              Count n_item) {
    Iterate<Precision, ContactCase::general> general;
    general.batch = kernel.batch;
    general.last = kernel.last;
    detector.launch(name, general, n_item);
    ++n_replaced;
  }
  template <class Body>
  void repeat_while(LoopCondition* condition, const Body& body) {
    detector.repeat_while(condition, body);
  }
};

template <class Precision>
void check_common_iteration() {
  const ContactProblem p = random_problem({.seed = 4,
                                           .n_env = 2,
                                           .n_node = 300,
                                           .n_world_contact = 90,
                                           .n_pair_contact = 0,
                                           .distinct_nodes = true});
  const WarmStart cold;
  SolverOptions options;
  options.tolerance = kResidualTolerance;
  LoopRun<Precision> common(options), general(options);
  const auto solve = [&](LoopRun<Precision>* answer, auto* launcher) {
    answer->problem.set(p, cold);
    test::LoopBatch<Precision>(&answer->problem, 2).solve(launcher);
    test::take_solution(&answer->problem, &answer->solution);
  };
  RaceDetector as_scheduled{RaceOptions{}};
  GeneralLauncher replacing;
  solve(&common, &as_scheduled);
  solve(&general, &replacing);
  EXPECT_GT(replacing.n_replaced, 0);
  expect_same_run(common.solution, general.solution);
}

TEST(RaceDetectorLoop, TheIterationOfCommonContactsHasTheBitsOfTheGeneralOne) {
  check_common_iteration<DoublePrecision>();
  check_common_iteration<MixedPrecision>();
  check_common_iteration<FloatPrecision>();
}

TEST(RaceDetectorLoop, ContactsAreCommonWhereEachIsAloneOnItsNodeIsotropicAndStrict) {
  const RandomProblemOptions common{.seed = 3,
                                    .n_env = 2,
                                    .n_node = 40,
                                    .n_world_contact = 15,
                                    .n_pair_contact = 0,
                                    .distinct_nodes = true};
  const auto contacts_of = [](const ContactProblem& p, Projection projection) {
    SolverOptions options;
    options.projection = projection;
    LoopRun<FloatPrecision> answer(options);
    const WarmStart cold;
    answer.problem.set(p, cold);
    return answer.problem.key(0, p.n_env()).one_pass_contacts;
  };
  EXPECT_EQ(contacts_of(random_problem(common), Projection::strict), ContactCase::common);
  EXPECT_EQ(contacts_of(random_problem(common), Projection::proximal), ContactCase::general);

  ContactProblem p = random_problem(common);
  p.contacts.back().mu2 = 1.5 * p.contacts.back().mu1 + 0.25;  // of the second environment alone
  EXPECT_EQ(contacts_of(p, Projection::strict), ContactCase::general);
  p.contacts.back().mu2 = p.contacts.back().mu1;
  EXPECT_EQ(contacts_of(p, Projection::strict), ContactCase::common);
  p.contacts[1].side_i = p.contacts[0].side_i;  // two contacts of one node
  EXPECT_EQ(contacts_of(p, Projection::strict), ContactCase::general);

  RandomProblemOptions none = common;
  none.n_world_contact = 0;
  EXPECT_EQ(contacts_of(random_problem(none), Projection::strict), ContactCase::common);
}

/// A copy of Iterate in which the barrier between the rows' terms and the first step of their sum
/// is missing: a lane adds the term of a lane that may not have written it.
template <class Precision, ContactCase contacts>
struct IterateWithoutBarrier : Iterate<Precision, contacts> {
  using Base = Iterate<Precision, contacts>;
  using typename Base::Shared;
  static constexpr int kPhases = Base::kPhases - 1;
  static constexpr PhaseShape shape(int phase) { return Base::shape(phase == 0 ? 0 : phase + 1); }
  template <int phase, class Isa, class Memory>
  void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      Base::template run<0, Isa>(item, lane, shared, memory);
      if (lane >= Base::shape(1).lanes) return;
    }
    Base::template run<phase + 1, Isa>(item, lane, shared, memory);
  }
};

/// A copy of Iterate that writes v_next over y, which other rows still read: the second vector is
/// missing.
template <class Precision, ContactCase contacts>
struct IterateInPlace : Iterate<Precision, contacts> {
  using Base = Iterate<Precision, contacts>;
  using typename Base::Shared;
  template <int phase, class Isa, class Memory>
  void run(int item, int lane, Shared& shared, Memory memory) const {
    Base::template run<phase, Isa>(item, lane, shared, memory);
    if constexpr (phase == 0) {
      const auto& env = this->environment(item, memory);
      const VfpiControl control = memory.read(env.control);
      const int row = this->first_row(item, memory) + lane;
      using R = typename Precision::Real;
      memory.template store_node<R>(env.node[control.y], row,
                                    memory.template load_node<R>(env.node[control.v_next], row));
    }
  }
};

/// Launches a defective copy in place of Iterate.
template <template <class, ContactCase> class Defective>
struct DefectiveLauncher {
  RaceDetector detector{RaceOptions{}};

  template <class Kernel, class Count>
  void launch(const char* name, const Kernel& kernel, Count n_item) {
    detector.launch(name, kernel, n_item);
  }
  template <class Precision, ContactCase contacts, class Count>
  void launch(const char* name, const Iterate<Precision, contacts>& kernel, Count n_item) {
    detector.launch(name, Defective<Precision, contacts>{kernel}, n_item);
  }
  template <class Body>
  void repeat_while(LoopCondition* condition, const Body& body) {
    detector.repeat_while(condition, body);
  }
};

template <class Launcher>
std::string fault_of() {
  const ContactProblem p = random_problem({.seed = 3, .n_node = 300, .n_pair_contact = 0});
  const WarmStart cold;
  LoopProblem<DoublePrecision> problem{CommonOptions{}, CondOptions{}};
  problem.set(p, cold);
  test::LoopBatch<DoublePrecision> batch(&problem, 1);
  Launcher launcher;
  try {
    batch.solve(&launcher);
  } catch (const RuntimeError& error) {
    return error.what();
  }
  return "no fault";
}

TEST(RaceDetectorLoop, ACopyOfTheIterationWithoutABarrierIsCaught) {
  EXPECT_EQ(fault_of<RaceDetector>(), "no fault");
  EXPECT_THAT(fault_of<DefectiveLauncher<IterateWithoutBarrier>>(),
              testing::AllOf(testing::HasSubstr("iterate"), testing::HasSubstr("Shared")));
}

TEST(RaceDetectorLoop, ACopyOfTheIterationThatOverwritesWhatOthersReadIsCaught) {
  EXPECT_THAT(fault_of<DefectiveLauncher<IterateInPlace>>(), testing::HasSubstr("iterate"));
}

}  // namespace
}  // namespace nodia
