/// Files of actions over time, and the words of `task.policy`.
#include "scenarios/task/action_log.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "kernels/core/error.hpp"
#include "scenarios/build/policy_seed.hpp"
#include "scenarios/task/policy.hpp"
#include "tests/support/temporary_folder.hpp"

namespace nodia {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<ActionComponent> kComponents{{"hand.x", "m", -1, 1}, {"gripper", "m", 0, 1}};

std::vector<double> read(const std::string& text, double control_hz = 25, int n_action = 4) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("log.csv"), std::ios::binary) << text;
  return read_action_log(folder.file("log.csv"), kComponents, control_hz, n_action);
}

/// What is said of a log, without its folder.
std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    const std::string said = error.what();
    return said.substr(said.find("log.csv"));
  }
  return "";
}

TEST(ActionLog, GivesEveryControlStepTheLastRowAtItsBeginning) {
  EXPECT_THAT(read("time_s,hand.x,gripper\n0,1,2\n0.04,3,4\n0.08,5,6\n0.12,7,8\n"),
              ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_THAT(read("time_s,hand.x,gripper\n-1,1,2\n0.05,3,4\n0.11,5,6\n"),
              ElementsAre(1, 2, 1, 2, 3, 4, 5, 6))
      << "rows between control steps; the last one stays";
  EXPECT_THAT(read("time_s,hand.x,gripper\n0,1,2\n0.01,3,4\n0.03,5,6\n0.2,0,0\n"),
              ElementsAre(1, 2, 5, 6, 5, 6, 5, 6))
      << "of a log with more rows than control steps";
}

TEST(ActionLog, ReadsColumnsInAnyOrderAndBitsAsTheyAreWritten) {
  EXPECT_THAT(read("# by hand\n\n gripper , time_s,hand.x # names\r\n"
                   "-0.30000000000000004 0 5e-324\r\n# later\n1,0.5,0.1\n",
                   25, 1),
              ElementsAre(5e-324, -0.30000000000000004));
  EXPECT_THAT(read("\xef\xbb\xbftime_s,hand.x,gripper\n0,1,2\n", 25, 1), ElementsAre(1, 2));
}

TEST(ActionLog, TakesTimesUpToTheirRounding) {
  for (const double hz : {7.0, 25.0, 30.0, 60.0, 240.0, 1000.0}) {
    for (const char* format : {"{},0,{}\n", "{:.6f},0,{}\n", "{:.5f},0,{}\n"}) {
      std::string text = "time_s,hand.x,gripper\n";
      for (int k = 0; k < 500; ++k) text += fmt::format(fmt::runtime(format), k / hz, k);
      const std::vector<double> actions = read(text, hz, 500);
      for (std::size_t k = 0; k < 500; ++k) ASSERT_EQ(actions[2 * k + 1], k) << hz << format;
    }
  }
}

TEST(ActionLog, RefusesWhatItCannotTell) {
  EXPECT_THAT(refusal("time_s,hand.x,griper\n0,1,2\n"),
              "log.csv:1: column griper (must be one of time_s, hand.x, gripper; did you mean "
              "gripper?)");
  EXPECT_THAT(refusal("\ntime_s,hand.x\n0,1\n"),
              "log.csv:2: column gripper is missing (must have time_s, hand.x, gripper)");
  EXPECT_THAT(refusal("hand.x,gripper\n0,1\n"), HasSubstr("log.csv:1: column time_s is missing"));
  EXPECT_THAT(refusal("time_s,hand.x,gripper,gripper\n0,1,2,3\n"),
              "log.csv:1: column gripper (must be there once)");
  EXPECT_THAT(refusal("time_s,hand.x,gripper\n0,1,2\n0.04,up,2\n"),
              "log.csv:3: up (must be a finite number; column 2 of 3)");
  EXPECT_THAT(refusal("time_s,hand.x,gripper\n0,nan,2\n"), HasSubstr("log.csv:2: nan (must be"));
  EXPECT_THAT(refusal("time_s,hand.x,gripper\n0,,2\n"), HasSubstr("must be a finite number"));
  EXPECT_THAT(refusal("time_s,hand.x,gripper\n0,1\n"),
              "log.csv:2: 2 numbers (must be 3 in every row)");
  EXPECT_THAT(refusal("time_s,hand.x,gripper\n0,1,2\n# still\n0.1,1,2\n0.1,1,2\n"),
              "log.csv:5: time_s = 0.1 (must be > 0.1, the time of the row before)");
  EXPECT_THAT(refusal("time_s,hand.x,gripper\n0.02,1,2\n"),
              "log.csv:2: time_s = 0.02 (must be at most 0 in the first row, where the episode "
              "begins)");
  EXPECT_THAT(refusal("time_s,hand.x,gripper\n"), HasSubstr("log.csv: no row"));
  EXPECT_THAT(refusal("\n# nothing\n"), HasSubstr("log.csv: no line (must begin with the names"));
  EXPECT_THROW(read_action_log("/no/log.csv", kComponents, 25, 1), InputError);
}

TEST(ParsePolicy, TellsTheThreeKindsApart) {
  const auto parts = [](const std::string& words) {
    const Policy policy = parse_policy(words);
    return std::vector<std::string>{name_of(policy.kind), policy.file, policy.class_name};
  };
  EXPECT_THAT(parts("script"), ElementsAre("script", "", ""));
  EXPECT_THAT(parts("a/own.py:Lift"), ElementsAre("class", "a/own.py", "Lift"));
  EXPECT_THAT(parts("a.py:b/own.py:Lift"), ElementsAre("class", "a.py:b/own.py", "Lift"));
  EXPECT_THAT(parts("own.py"), ElementsAre("class", "own.py", ""));
  EXPECT_THAT(parts("own.py:"), ElementsAre("class", "own.py", ""));
  EXPECT_THAT(parts("a:b.csv"), ElementsAre("log", "a:b.csv", ""));
}

TEST(PolicySeed, IsThatOfTheEpisodeAlone) {
  Scenario episode;
  episode.drawn_by.seed = 7;
  const std::uint64_t seed = policy_seed(episode);
  EXPECT_EQ(policy_seed(episode), seed);
  episode.description = "other words";
  EXPECT_EQ(policy_seed(episode), seed);
  std::set<std::uint64_t> seeds{seed};
  for (std::uint64_t* part : {&episode.drawn_by.seed, &episode.drawn_by.episode}) {
    ++*part;
    EXPECT_TRUE(seeds.insert(policy_seed(episode)).second);
  }
  ++episode.drawn_by.attempt;
  EXPECT_TRUE(seeds.insert(policy_seed(episode)).second);
}

}  // namespace
}  // namespace nodia
