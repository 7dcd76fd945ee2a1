#include "scenarios/format/yaml_indentation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scenarios/scenario_files.hpp"

namespace nodia {
namespace {

using ::testing::HasSubstr;

TEST(YamlIndentation, SaysAtWhichDepthTheKeysStand) {
  const struct {
    std::string text, message;
  } cases[] = {
      {"name: a\ntime:\n  step_s: 0.01\n duration_s: 1\n",
       "s.yaml:4: not valid YAML: duration_s is indented by 1 space (must be as deep as a key "
       "above "
       "it: 0 (time) or 2 (step_s))"},
      {"name: a\ntime:\n    step_s: 0.01\n  duration_s: 1\nbodies: {}\n",
       "s.yaml:4: not valid YAML: duration_s is indented by 2 spaces (must be as deep as a key "
       "above "
       "it: 0 (time) or 4 (step_s))"},
      {"name: a\n  time:\n    step_s: 0.1\n",
       "time is indented by 2 spaces (must be as deep as a key above it: 0 (name))"},
      {"name: a\nobstacles:\n  floor: {shape: half_space}\n    friction: 0.3\n",
       "friction is indented by 4 spaces (must be as deep as a key above it: 0 (obstacles) or 2 "
       "(floor))"},
      {"name: a\ntime:\n\tstep_s: 0.01\n",
       "s.yaml:3: not valid YAML: the line is indented with a tab (must be spaces)"},
  };
  for (const auto& c : cases) EXPECT_THAT(test::message(c.text), HasSubstr(c.message)) << c.text;
}

TEST(YamlIndentation, IsSilentAboutGoodIndentation) {
  const std::string text = test::kGoodScenario;
  const int n_line = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  for (int line = 1; line <= n_line; ++line) EXPECT_EQ(indentation_fault(text, line), "") << line;
  EXPECT_EQ(indentation_fault("", 1), "");
  EXPECT_EQ(indentation_fault("a: 1\n", 7), "");
}

}  // namespace
}  // namespace nodia
