/// Checks whose memory is handed on in the middle of a run evaluate as those that saw all of it.
#include <gtest/gtest.h>

#include "host/simulation/simulation.hpp"
#include "kernels/core/error.hpp"
#include "scenarios/build/scenario.hpp"
#include "tests/support/scenario_list.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

ArchivedBytes kept(ScenarioChecks* checks) {
  ArchivedBytes bytes;
  Archive a = Archive::writing(&bytes);
  checks->archive(a);
  return bytes;
}

class ChecksGoOn : public testing::TestWithParam<std::string> {};

TEST_P(ChecksGoOn, WithTheMemoryOfOthers) {
  constexpr int kSteps = 12;
  const Scenario scenario =
      load_scenario(test::source_file(GetParam()), {"solver.max_iterations=200"});
  Simulation simulation({scenario.scene}, scenario.solver);
  ScenarioChecks whole(scenario.scene, scenario.checks), first(scenario.scene, scenario.checks),
      second(scenario.scene, scenario.checks);
  const ArchivedBytes untouched = kept(&second);
  for (int k = 1; k <= kSteps; ++k) {
    if (k == kSteps / 2) {
      const ArchivedBytes bytes = kept(&first);
      EXPECT_NE(bytes, untouched);
      Archive loading = Archive::reading(bytes);
      second.archive(loading);
      EXPECT_EQ(kept(&second), bytes);
    }
    simulation.step([&](const StepView& view) {
      // Spread over the whole run, so that every window is entered and left.
      const int step = static_cast<int>(k * scenario.scene.time.duration_s / kSteps /
                                        scenario.scene.time.step_s);
      StepRecord record = view.record;
      record.step = step;
      record.time_s = step * scenario.scene.time.step_s;
      const StepView later{record, view.layout, view.source, view.link_poses, view.obstacle_poses};
      whole.observe(later);
      (k < kSteps / 2 ? first : second).observe(later);
    });
  }
  EXPECT_EQ(kept(&whole), kept(&second));
  const std::vector<CheckResult> a = whole.results(), b = second.results();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t c = 0; c < a.size(); ++c) {
    EXPECT_EQ(a[c].name, b[c].name);
    EXPECT_EQ(a[c].passed, b[c].passed) << a[c].name;
    EXPECT_TRUE(a[c].value == b[c].value || a[c].value != a[c].value) << a[c].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, ChecksGoOn, testing::ValuesIn(test::scenario_files()),
                         [](const auto& test) { return test::scenario_name(test.param); });

TEST(Archive, RefusesWhatIsMissingOrOfAnotherSize) {
  ArchivedBytes bytes;
  double number = 3;
  Archive saving = Archive::writing(&bytes);
  saving("number", number);
  const auto load = [&](const char* name, auto value) {
    Archive loading = Archive::reading(bytes);
    loading(name, value);
    return value;
  };
  EXPECT_EQ(load("number", 0.0), 3);
  EXPECT_THROW(load("number", 0), InputError);
  EXPECT_THROW(load("another", 0.0), InputError);
}

}  // namespace
}  // namespace nodia
