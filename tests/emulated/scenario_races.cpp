/// Race detection in the scenario files, in the steps in which contacts begin, slide and end.
/// Blocks and lanes run in random orders and every byte is watched (kernels/mimic).
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tests/emulated/both_backends.hpp"
#include "tests/emulated/mimicked.hpp"
#include "tests/support/scenario_list.hpp"
#include "tests/support/scenario_run.hpp"

namespace nodia {
namespace {

using FileAndPrecision = std::tuple<std::string, Precision>;

class DeviceScenarioRaces : public testing::TestWithParam<FileAndPrecision> {};

INSTANTIATE_TEST_SUITE_P(Scenarios, DeviceScenarioRaces,
                         testing::Combine(testing::ValuesIn(test::scenario_files()),
                                          testing::Values(Precision::double_, Precision::mixed,
                                                          Precision::float_)),
                         [](const auto& one) {
                           const std::string precision = name_of(std::get<Precision>(one.param));
                           return test::scenario_name(std::get<std::string>(one.param)) + "_in_" +
                                  precision;
                         });

TEST_P(DeviceScenarioRaces, FourStepsFromSavedStatesHaveNone) {
  const auto& [file, precision] = GetParam();
  const test::ScenarioBatch batch(file, precision,
                                  {"solver.max_iterations=12", "solver.check_every=4"});
  for (const test::SavedState& start : test::run_of(file).states) {
    if (start.name == "middle") continue;
    SCOPED_TRACE(start.name);
    test::BothBackends pair(batch);
    const Checkpoint state = start.for_another_solver();
    pair.both([&](Simulation* simulation) { simulation->load(0, state); });
    const test::Mimicked mimicked(7);
    pair.step(4);
    EXPECT_TRUE(mimicked.launcher().conflicts().empty());
    EXPECT_GT(pair.most_contacts, 0);
  }
}

}  // namespace
}  // namespace nodia
