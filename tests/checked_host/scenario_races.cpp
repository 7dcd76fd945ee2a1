/// Tests the scenario files with the race detector (tests/devices/race_detector) in steps in which
/// contacts begin, slide and end.
#include <gtest/gtest.h>

#include <string>

#include "tests/checked_host/both_backends.hpp"
#include "tests/checked_host/with_race_detector.hpp"
#include "tests/support/scenario_list.hpp"
#include "tests/support/scenario_run.hpp"

namespace nodia {
namespace {

class DeviceScenarioRaces : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Scenarios, DeviceScenarioRaces, testing::ValuesIn(test::scenario_files()),
                         [](const auto& one) { return test::scenario_name(one.param); });

/// Mixed precision has kernels of double and of float. tests/checked_host/races_of_steps.cpp tests
/// more iterations and every precision on small meshes.
TEST_P(DeviceScenarioRaces, FourStepsFromSavedStatesHaveNone) {
  const test::ScenarioBatch batch(GetParam(), Precision::mixed,
                                  {"solver.max_iterations=4", "solver.check_every=2"});
  for (const test::SavedState& start : test::run_of(GetParam()).states) {
    if (start.name == "middle") continue;
    SCOPED_TRACE(start.name);
    test::BothBackends pair(batch);
    const Checkpoint state = start.for_another_solver();
    pair.both([&](Simulation* simulation) { simulation->load(0, state); });
    const test::WithRaceDetector watched(7);
    pair.step(4);
    EXPECT_TRUE(watched.launcher().conflicts().empty());
    EXPECT_GT(pair.most_contacts, 0);
  }
}

}  // namespace
}  // namespace nodia
