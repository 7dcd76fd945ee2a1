/// Tests of every file scenarios/*/*.yaml. A new file needs no line here.
///
/// tests/scenarios/resolved/NAME.yaml holds what each file resolves to, so that no key of a file,
/// and no default that it relies on, changes unseen.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "host/simulation/simulation.hpp"
#include "host/solvers/interface.hpp"
#include "scenarios/build/scenario.hpp"
#include "scenarios/format/yaml_tree.hpp"
#include "tests/support/same_bits.hpp"
#include "tests/support/scenario_list.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/source_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace nodia {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHowToRenew =
    "renew the files where this is meant, and read what changed in them: NODIA_WRITE_RESOLVED=1 "
    "build/release/tests/test_scenarios --gtest_filter='*ResolvedFormIsTheOneKept*'; git diff "
    "tests/scenarios/resolved";

const std::string kKept = test::source_file("tests/scenarios/resolved");

/// Dotted keys of a file's values, list members by index, in the order written.
void list_keys(const YamlNode& node, const std::string& path, std::string* keys) {
  for (std::size_t k = 0; k < node.children.size(); ++k) {
    const YamlNode& child = node.children[k];
    if (node.is_sequence() && !child.is_map()) continue;
    const std::string member = node.is_map() ? child.key : std::to_string(k);
    const std::string key = path.empty() ? member : path + "." + member;
    if (node.is_map()) *keys += "#   " + key + "\n";
    list_keys(child, key, keys);
  }
}

/// What config.yaml holds, files named from the root of the tree; behind it the keys that the file
/// itself gives, so that one that repeats a default counts too.
std::string resolved_form(const std::string& path, const Scenario& scenario) {
  std::string text = test::named_from_root(scenario.resolved_yaml);
  text += "# given in the file:\n";
  list_keys(read_yaml_file(path), "", &text);
  return text;
}

/// The first line in which two texts differ, of both.
std::string first_difference(const std::string& expected, const std::string& found) {
  std::istringstream a(expected), b(found);
  for (int line = 1;; ++line) {
    std::string of_a, of_b;
    const bool more_a = static_cast<bool>(std::getline(a, of_a));
    const bool more_b = static_cast<bool>(std::getline(b, of_b));
    if (!more_a && !more_b) return "none";
    if (more_a != more_b || of_a != of_b)
      return fmt::format("line {}\n  kept:  {}\n  found: {}", line, more_a ? of_a : "(end)",
                         more_b ? of_b : "(end)");
  }
}

class EveryScenario : public ::testing::TestWithParam<std::string> {
 protected:
  static std::string path() { return test::source_file(GetParam()); }
  static Scenario load() { return load_scenario(path(), {"solver.threads=1"}); }
};

INSTANTIATE_TEST_SUITE_P(Yaml, EveryScenario, ::testing::ValuesIn(test::scenario_files()),
                         [](const auto& file) { return test::scenario_name(file.param); });

TEST_P(EveryScenario, ResolvedFormIsTheOneKept) {
  const std::string found = resolved_form(path(), load_scenario(path()));
  const std::string file = kKept + "/" + test::scenario_name(GetParam()) + ".yaml";
  if (std::getenv("NODIA_WRITE_RESOLVED")) std::ofstream(file, std::ios::binary) << found;
  const std::string kept = test::text_of(file);
  ASSERT_FALSE(kept.empty()) << file << " is missing: " << kHowToRenew;
  EXPECT_TRUE(found == kept) << file << ": first difference in " << first_difference(kept, found)
                             << "\n"
                             << kHowToRenew;
}

TEST_P(EveryScenario, ResolvedFormLoadsToTheSame) {
  const Scenario written = load();
  const test::TemporaryFolder folder;
  const std::string copy = folder.file("config.yaml");
  std::ofstream(copy, std::ios::binary) << written.resolved_yaml;
  const Scenario read = load_scenario(copy);
  ASSERT_EQ(first_difference(written.resolved_yaml, read.resolved_yaml), "none");
  Simulation a({written.scene}, written.solver), b({read.scene}, read.solver);
  for (int k = 0; k < 2; ++k) a.step(), b.step();
  EXPECT_EQ(test::count_different(a.state().x, b.state().x), 0);
  EXPECT_EQ(test::count_different(a.state().frames, b.state().frames), 0);
  EXPECT_EQ(test::count_different(a.state().q, b.state().q), 0);
  EXPECT_EQ(test::count_different(a.state().v, b.state().v), 0);
}

class ScenarioRunOf : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Yaml, ScenarioRunOf, ::testing::ValuesIn(test::scenario_files()),
                         [](const auto& file) { return test::scenario_name(file.param); });

TEST_P(ScenarioRunOf, ConvergesInEveryStepAndPassesItsChecks) {
  const test::ScenarioRun& run = test::run_of(GetParam());
  EXPECT_GT(run.n_step, 0);
  EXPECT_EQ(run.n_converged, run.n_step);
  EXPECT_FALSE(run.checks.empty()) << "a scenario has checks with answers known beforehand";
  EXPECT_THAT(run.failures, ::testing::IsEmpty());
}

TEST_P(ScenarioRunOf, SavesStatesThatTestsRestartFrom) {
  const test::ScenarioRun& run = test::run_of(GetParam());
  EXPECT_GE(run.states.size(), 2U);
  for (const test::SavedState& state : run.states) {
    EXPECT_EQ(state.checkpoint().state.step, state.step);
    EXPECT_FALSE(state.checkpoint().failed);
  }
}

TEST(ResolvedForms, AreThoseOfTheScenarios) {
  std::vector<std::string> kept, found;
  for (const fs::directory_entry& file : fs::directory_iterator(kKept))
    kept.push_back(file.path().stem().string());
  for (const std::string& file : test::scenario_files()) found.push_back(test::scenario_name(file));
  EXPECT_THAT(kept, ::testing::UnorderedElementsAreArray(found)) << kHowToRenew;
}

}  // namespace
}  // namespace nodia
