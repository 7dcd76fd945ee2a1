#include "scenarios/format/yaml_fault.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scenarios/scenario_files.hpp"

namespace nodia {
namespace {

using ::testing::HasSubstr;

TEST(YamlFault, NamesTheLineOfTheMistakeAndWhatItMustHave) {
  const struct {
    std::string text, message;
  } cases[] = {
      {"name: [a\n", "s.yaml:1: not valid YAML: name: [a ('[' must be closed with ']')"},
      {"time: {step_s: 0.1\nbodies:\n  box: {}\n",
       "s.yaml:1: not valid YAML: time: {step_s: 0.1 ('{' must be closed with '}')"},
      {"name: 'a [b'\ngravity_m_s2: [0, 0, -9.81 # Earth ]\ntime: {}\n",
       "s.yaml:2: not valid YAML: gravity_m_s2: [0, 0, -9.81 # Earth ] ('[' must be closed"},
      {"time: {step_s: 0.1 duration_s: 1}\nname: a\n",
       "s.yaml:1: not valid YAML: time: {step_s: 0.1 duration_s: 1} (must have a comma between "
       "two"},
      {"name: a\nseed:4\ntime: {}\n",
       "s.yaml:2: not valid YAML: seed:4 (must have a space behind the colon: `seed: 4`)"},
      {"name: a\nseed: *seven\n", "s.yaml:2: not valid YAML: seed: *seven (the referenced anchor"},
  };
  for (const auto& c : cases) EXPECT_THAT(test::message(c.text), HasSubstr(c.message)) << c.text;
}

}  // namespace
}  // namespace nodia
