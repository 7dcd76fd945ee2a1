#include "tools/compare/accuracy_cases.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "kernels/core/error.hpp"
#include "tests/support/scenario_list.hpp"

namespace nodia::studies {
namespace {

namespace fs = std::filesystem;

const std::string kScenarios = NODIA_SOURCE_DIR "/scenarios";

std::vector<std::string> names_of(const std::vector<AccuracyCase>& cases) {
  std::vector<std::string> names;
  for (const AccuracyCase& one : cases) names.emplace_back(one.name);
  return names;
}

std::string refusal(const std::string& word) {
  try {
    choose_cases({word});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(AccuracyCases, NamesAreDifferent) {
  std::set<std::string> names;
  for (const AccuracyCase& one : accuracy_cases())
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
}

TEST(AccuracyCases, EveryScenarioFileIsACaseAsItStands) {
  std::set<std::string> as_they_stand;
  for (const AccuracyCase& one : accuracy_cases())
    if (!*one.setting && one.remesh == Remesh::none) as_they_stand.insert(one.file);
  const std::vector<std::string> files = test::scenario_files();
  for (const std::string& file : files)
    EXPECT_EQ(as_they_stand.count(fs::relative(file, "scenarios").string()), 1U) << file;
  EXPECT_GE(files.size(), 10U);
}

TEST(AccuracyCases, EveryCaseLoadsWithItsSettingAndMesh) {
  for (const AccuracyCase& one : accuracy_cases()) {
    if (one.n_node > 30000) continue;  // the same mesher, and seconds
    const Scenario scenario = load_case(one, kScenarios);
    scenario.scene.validate();
    if (one.remesh == Remesh::none) continue;
    const auto n = static_cast<double>(scenario.scene.soft_bodies.front().mesh.nodes.size());
    EXPECT_NEAR(n, one.n_node, 0.2 * one.n_node) << one.name;
  }
}

TEST(AccuracyCases, SettingsReachTheScene) {
  const Scene stiff = load_case(choose_cases({"soft_ball/10MPa"}).front(), kScenarios).scene;
  EXPECT_EQ(stiff.soft_bodies.front().material.youngs_modulus_Pa, 1e7);
  const Scene own = load_case(choose_cases({"soft_ball"}).front(), kScenarios).scene;
  EXPECT_EQ(own.soft_bodies.front().material.youngs_modulus_Pa, 1e6);
}

TEST(AccuracyCases, WithoutWordsAllThatAreNotLarge) {
  for (const AccuracyCase& one : choose_cases({})) EXPECT_FALSE(one.large) << one.name;
  EXPECT_LT(choose_cases({}).size(), accuracy_cases().size());
}

TEST(AccuracyCases, AreChosenByNameBeginningAndPattern) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_of(choose_cases({"soft_mat"})), Names{"soft_mat"});
  EXPECT_EQ(names_of(choose_cases({"soft_mat/100k"})), Names{"soft_mat/100k"});
  EXPECT_EQ(names_of(choose_cases({"cable"})), (Names{"cable_benchmark", "cable_winding"}));
  EXPECT_EQ(names_of(choose_cases({"*MPa"})).size(), 5U);
  // In the order of the table, each once; a beginning leaves out the large ones.
  EXPECT_EQ(names_of(choose_cases({"soft_ball/", "soft_ball", "soft_mat/6?"})),
            (Names{"soft_mat/6k", "soft_ball", "soft_ball/0.1MPa", "soft_ball/10MPa",
                   "soft_ball/mu1.5", "soft_ball/5k"}));
}

TEST(AccuracyCases, UnknownWordsAreRefusedWithTheNearestName) {
  EXPECT_NE(refusal("soft_bal/5k").find("did you mean soft_ball/5k?"), std::string::npos);
  EXPECT_NE(refusal("*nothing*").find("--cases = *nothing*"), std::string::npos);
  EXPECT_NE(refusal("").find("--cases"), std::string::npos);
  EXPECT_NE(refusal("*00k").find("soft_mat/100k"), std::string::npos);
}

}  // namespace
}  // namespace nodia::studies
