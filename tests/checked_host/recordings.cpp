/// Tests that the loop is recorded once per pattern of kernels while contacts begin and end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "host/simulation/simulation.hpp"
#include "host/solvers/execution.hpp"
#include "scenarios/build/scenario.hpp"
#include "tests/devices/checked_host/checked_host.hpp"
#include "tests/support/scenario_list.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

class DeviceRecordings : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Scenarios, DeviceRecordings, testing::ValuesIn(test::scenario_files()),
                         [](const auto& file) { return test::scenario_name(file.param); });

/// Few iterations suffice, because the launches do not depend on their convergence.
TEST_P(DeviceRecordings, AreOneAPatternOverFiveHundredSteps) {
  const Scenario scenario = load_scenario(test::source_file(GetParam()),
                                          {"solver.solver=cond", "solver.max_iterations=16"});
  SolverOptions options = scenario.solver;
  options.execution.threads = 1;
  options.execution.backend = Backend::cuda;
  options.execution.loop = LoopLauncher::graph;
  checked_host().recordings.clear();
  Simulation simulation({scenario.scene}, options);
  for (int step = 0; step < 500; ++step) simulation.step();
  EXPECT_FALSE(simulation.failed(0));
  const std::vector<std::string>& made = checked_host().recordings;
  const std::set<std::string> patterns(made.begin(), made.end());
  EXPECT_EQ(made.size(), patterns.size()) << testing::PrintToString(made);
  for (const std::string& kernels : made)
    EXPECT_THAT(kernels, testing::ContainsRegex("while power_product .*power_queue.* end"))
        << "cold and warm power iterations are one loop";
}

}  // namespace
}  // namespace nodia
