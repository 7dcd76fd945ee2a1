#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/io/look_at.hpp"
#include "host/io/summary_json.hpp"

namespace nodia {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

StepRecord record(int env, int step, SolveStatus status, const std::string& reason = {}) {
  StepRecord r;
  r.env = env;
  r.step = step;
  r.time_s = 0.01 * step;
  r.solve.status = status;
  r.solve.reason = reason;
  return r;
}

/// As the run verb counts.
void add(const StepRecord& r, RunSummary* s) {
  s->statistics.add(r);
  s->environments[static_cast<std::size_t>(r.env)].statistics.add(r);
}

RunSummary run_of(int n_env) {
  RunSummary s;
  s.environments.resize(static_cast<std::size_t>(n_env));
  for (int e = 0; e < n_env; ++e) add(record(e, 1, SolveStatus::converged), &s);
  return s;
}

std::vector<std::string> kinds(const RunSummary& s) {
  std::vector<std::string> words;
  for (const LookAt& item : what_to_look_at(s)) words.push_back(item.what);
  return words;
}

TEST(LookAt, SaysNothingOfARunWhereNothingIsLeftToSay) {
  RunSummary s = run_of(3);
  s.checks.push_back({"weight", true, 0.001, 0.01, "-"});
  EXPECT_THAT(what_to_look_at(s), IsEmpty());
}

TEST(LookAt, NamesTheEnvironmentsOfEveryStatusMostStepsFirst) {
  RunSummary s = run_of(9);
  add(record(7, 2, SolveStatus::iteration_limit, "2000 iterations"), &s);
  for (int step = 3; step < 6; ++step) add(record(2, step, SolveStatus::iteration_limit), &s);
  for (const int env : {1, 3, 5, 8}) add(record(env, 6, SolveStatus::iteration_limit), &s);
  add(record(4, 9, SolveStatus::diverged, "the force grows"), &s);
  const auto list = what_to_look_at(s);
  ASSERT_THAT(list, SizeIs(2));
  EXPECT_EQ(list[0].env, 4);
  EXPECT_EQ(list[0].step, 9);
  EXPECT_EQ(list[0].text,
            "1 of 18 steps ended with status diverged in environment 4 (1); first in step 9 of "
            "environment 4 (0.09 s): the force grows");
  EXPECT_EQ(
      list[1].text,
      "8 of 18 steps ended with status iteration_limit in environments 2 (3), 1 (1), 3 (1), 5 "
      "(1) and 2 more; first in step 2 of environment 7 (0.02 s): 2000 iterations");
}

TEST(LookAt, LeavesEnvironmentsOutWhereThereIsOne) {
  RunSummary s = run_of(1);
  add(record(0, 2, SolveStatus::stalled), &s);
  ASSERT_THAT(what_to_look_at(s), SizeIs(1));
  EXPECT_EQ(what_to_look_at(s)[0].text,
            "1 of 2 steps ended with status stalled; first in step 2 (0.02 s)");
}

TEST(LookAt, HasEveryPairThatOverlapsAtItsDeepestAndOnlyAFew) {
  RunSummary s = run_of(2);
  const auto overlap = [&](const char* i, int step, double share) {
    StepRecord r = record(1, step, SolveStatus::converged);
    r.overlaps.push_back({i, "floor", 0.1 * share, share, false});
    add(r, &s);
  };
  overlap("a", 2, 0.1);
  overlap("a", 3, 0.4);
  overlap("a", 4, 0.2);
  for (const char* name : {"b", "c", "d", "e", "f"}) overlap(name, 5, 0.06);
  const auto list = what_to_look_at(s);
  ASSERT_THAT(list, SizeIs(5));
  EXPECT_EQ(list[0].text,
            "environment 1: a and floor overlap by 40 mm, 40 % of the smaller one, in step 3 "
            "(0.03 s)");
  EXPECT_EQ(list[4].text, "2 more pairs (overlaps)");
}

TEST(LookAt, HasTheLargestRotationOfAStep) {
  RunSummary s = run_of(2);
  const auto turn = [&](const char* body, int step, double angle_rad) {
    StepRecord r = record(1, step, SolveStatus::converged);
    r.turn = {body, angle_rad};
    add(r, &s);
  };
  turn("", 1, 0);
  EXPECT_TRUE(what_to_look_at(s).empty());
  turn("a", 2, 0.2);
  turn("b", 3, 0.31);
  turn("a", 4, 0.3);
  const std::vector<LookAt> list = what_to_look_at(s);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].what, "turn");
  EXPECT_EQ(list[0].env, 1);
  EXPECT_EQ(list[0].step, 3);
  EXPECT_EQ(list[0].text.find("environment 1: b turned by 0.31 rad in step 3"), 0u) << list[0].text;
}

TEST(LookAt, NamesDrivesAtTheirLimitsAndMountsThatBroke) {
  RunSummary s = run_of(2);
  for (int step = 1; step <= 5; ++step) {
    StepRecord r = record(1, step, SolveStatus::converged);
    if (step > 2) r.limited_drives = {{"arm.slide", 2.5, true}};
    if (step > 3) r.limited_drives.push_back({"arm.elbow", 0.5, false});
    if (step == 4) r.broken_mounts = {"wire"};
    add(r, &s);
  }
  const std::vector<LookAt> list = what_to_look_at(s);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].what, "broken_mount");
  EXPECT_EQ(list[0].text, "environment 1: mount wire broke in step 4 (0.04 s)");
  EXPECT_EQ(list[1].what, "effort_limit");
  EXPECT_EQ(list[1].text,
            "environment 1: arm.elbow was at its effort limit of 0.5 N m in 2 of 7 steps, first in "
            "step 4 (0.04 s)");
  EXPECT_EQ(list[2].text,
            "environment 1: arm.slide was at its effort limit of 2.5 N in 3 of 7 steps, first in "
            "step 3 (0.03 s)");
}

TEST(LookAt, CountsChecksByNameAndPutsFailuresFirst) {
  RunSummary s = run_of(3);
  for (int e = 0; e < 3; ++e) {
    s.checks.push_back({"slides", e == 0, 0.5, 0.1, "m", e});
    s.checks.back().quantity = "drift";
    s.checks.push_back({"force", false, 0, 0, "N", e, "no contact to judge", true});
  }
  s.checks_not_reached = {"late"};
  s.warnings = {"obstacles.floor.friction hides"};
  s.interrupted = true;
  EXPECT_THAT(kinds(s), ElementsAre("check_failed", "check_not_compared", "check_not_reached",
                                    "warning", "interrupted"));
  const auto list = what_to_look_at(s);
  EXPECT_EQ(
      list[0].text,
      "check slides failed in 2 of 3 environments, first 1: drift 0.5 m, must be at most 0.1 m, "
      "0.4 m too large");
  EXPECT_THAT(list[1].text, HasSubstr("in 3 of 3 environments"));
}

TEST(LookAt, SharesReadAsNumbers) {
  EXPECT_EQ(shown_percent(0.0842), "8.4 %");
  EXPECT_EQ(shown_percent(0.994), "99 %");
  EXPECT_EQ(shown_percent(0.996), "100 %");
  EXPECT_EQ(shown_percent(5.783), "578 %");
}

}  // namespace
}  // namespace nodia
