/// Scenario files of several environments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "tests/scenarios/scenario_files.hpp"

namespace nodia {
namespace {

using test::ScenarioFile;
using test::with;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string message(const std::vector<std::string>& overrides,
                    std::optional<DrawSeed> draw = std::nullopt) {
  try {
    load_batch(ScenarioFile().path(), overrides, draw);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

double friction(const Scenario& s) {
  return s.scene.soft_bodies[0].friction;
}

TEST(LoadBatch, EnvironmentsAreTheScenariosOfTheirSeeds) {
  const ScenarioFile file;
  const Batch batch = load_batch(file.path(), {"environments=4", "time.step_s=0.005"}, 7);
  ASSERT_EQ(batch.environments.size(), 4u);
  EXPECT_EQ(batch.seed, 7u);
  for (std::uint64_t e = 0; e < 4; ++e) {
    const Scenario alone = load_scenario(file.path(), {"time.step_s=0.005"}, 7 + e);
    const Scenario& s = batch.environments[e];
    EXPECT_EQ(s.drawn_by, DrawSeed(7 + e));
    EXPECT_EQ(friction(s), friction(alone));
    EXPECT_EQ(s.resolved_yaml, alone.resolved_yaml);
    EXPECT_EQ(s.drawn.size(), 2u);
  }
  EXPECT_NE(friction(batch.environments[0]), friction(batch.environments[1]));
}

TEST(ScenarioSource, GivesWhatTheLoaderGivesAgainAndAgain) {
  const ScenarioFile file;
  ScenarioSource source(read_yaml_file(file.path()), {"time.step_s=0.005"});
  EXPECT_TRUE(source.draws());
  EXPECT_EQ(source.environments(), 1);
  EXPECT_FALSE(source.draw_seed());
  for (const std::optional<std::uint64_t> seed :
       {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(7),
        std::optional<std::uint64_t>(8), std::optional<std::uint64_t>()}) {
    const Scenario alone = load_scenario(file.path(), {"time.step_s=0.005"}, seed);
    EXPECT_EQ(source.scenario(seed).resolved_yaml, alone.resolved_yaml);
  }
  const std::vector<std::string> set = {"randomize={}"};
  EXPECT_FALSE(ScenarioSource(read_yaml_file(file.path()), set).draws());
}

/// What makes an episode alone: its draws do not depend on what was made before it.
TEST(ScenarioSource, MakesAnyEpisodeOfASeed) {
  const ScenarioFile file;
  ScenarioSource source(read_yaml_file(file.path()));
  EXPECT_EQ(source.scenario({{7, 0}}).resolved_yaml, source.scenario({7}).resolved_yaml);
  std::set<double> drawn;
  for (const DrawSeed& draw : {DrawSeed(7, 0), DrawSeed(7, 1), DrawSeed(8, 0), DrawSeed(8, 1),
                               DrawSeed(7, 0, 1), DrawSeed(7, 1, 1), DrawSeed(7, 1, 2)}) {
    const Scenario made = source.scenario(draw);
    EXPECT_EQ(made.drawn_by, draw);
    EXPECT_EQ(made.resolved_yaml, load_scenario(file.path(), {}, draw).resolved_yaml);
    drawn.insert(friction(made));
    const ScenarioFile resolved(made.resolved_yaml);
    const Scenario again = load_scenario(resolved.path());
    EXPECT_EQ(again.drawn_by, draw);
    EXPECT_EQ(again.resolved_yaml, made.resolved_yaml);
    EXPECT_EQ(friction(again), friction(made));
  }
  EXPECT_EQ(drawn.size(), 7u);
}

TEST(ScenarioSource, TheFileMayNameTheEpisode) {
  const ScenarioFile file(with("name: small", "name: small\nseed: 7\nepisode: 3\nattempt: 2"));
  ScenarioSource source(read_yaml_file(file.path()));
  EXPECT_EQ(source.draw_seed(), DrawSeed(7, 3, 2));
  EXPECT_EQ(source.scenario().drawn_by, DrawSeed(7, 3, 2));
  EXPECT_EQ(source.scenario(9).drawn_by, DrawSeed(9));
  EXPECT_EQ(load_scenario(file.path(), {"seed=9"}).drawn_by, DrawSeed(9, 3, 2));
  EXPECT_EQ(load_batch(file.path()).environments[0].drawn_by, DrawSeed(7, 3, 2));
}

TEST(LoadBatch, AnEpisodeNeedsASeedAndIsOneEnvironment) {
  EXPECT_THAT(message({"episode=3"}), HasSubstr("episode = 3 (must be beside a seed; give --seed"));
  EXPECT_THAT(message({"attempt=1"}), HasSubstr("attempt = 1 (must be beside a seed"));
  for (const char* episode : {"0", "3"})
    EXPECT_THAT(message({"seed=7", "environments=2", std::string("episode=") + episode}),
                HasSubstr("must be left out where there are several environments"));
  EXPECT_THAT(message({"environments=2"}, DrawSeed(7, 3)), HasSubstr("episode = 3 (must be left"));
  EXPECT_THAT(message({"seed=7", "episode=-1"}), HasSubstr("a whole number in [0, 2^64)"));
  EXPECT_THAT(message({"seed=7", "attempt=-1"}), HasSubstr("a whole number in [0, 2147483647]"));
}

TEST(LoadBatch, WithoutASeedOneEnvironmentIsNominalAndSeveralStartAtZero) {
  const ScenarioFile file;
  const Batch one = load_batch(file.path());
  ASSERT_EQ(one.environments.size(), 1u);
  EXPECT_EQ(friction(one.environments[0]), 0.4);
  EXPECT_THAT(one.environments[0].drawn, IsEmpty());
  EXPECT_EQ(one.resolved_yaml, load_scenario(file.path()).resolved_yaml);
  const Batch two = load_batch(file.path(), {"environments=2"});
  EXPECT_EQ(friction(two.environments[0]), friction(load_scenario(file.path(), {}, 0)));
  EXPECT_EQ(friction(two.environments[1]), friction(load_scenario(file.path(), {}, 1)));
  EXPECT_EQ(friction(load_scenario(file.path(), {"environments=2"})),
            friction(two.environments[0]));
}

TEST(LoadBatch, TheResolvedScenarioLoadsToTheSameBatch) {
  const Batch first =
      load_batch(ScenarioFile().path(),
                 {"environments=3", "bodies.block.friction=0.45", "output.record_envs=2,0"}, 11);
  for (const Scenario& s : first.environments) {
    EXPECT_EQ(friction(s), 0.45);
    EXPECT_EQ(s.drawn.size(), 1u);
  }
  EXPECT_THAT(first.recorded, ElementsAre(0, 2));
  const ScenarioFile resolved(first.resolved_yaml);
  const Batch second = load_batch(resolved.path());
  ASSERT_EQ(second.environments.size(), 3u);
  EXPECT_EQ(second.resolved_yaml, first.resolved_yaml);
  EXPECT_THAT(second.recorded, ElementsAre(0, 2));
  for (std::size_t e = 0; e < 3; ++e) {
    EXPECT_EQ(second.environments[e].resolved_yaml, first.environments[e].resolved_yaml);
    const ScenarioFile own(first.environments[e].resolved_yaml);
    const Batch alone = load_batch(own.path());
    ASSERT_EQ(alone.environments.size(), 1u);
    EXPECT_EQ(alone.resolved_yaml, first.environments[e].resolved_yaml);
  }
}

TEST(LoadBatch, EnvironmentsMayDifferInTheirMesh) {
  const ScenarioFile file(
      with("randomize:\n", "randomize:\n  bodies.block.mesh.box.size_m.0: [0.1, 0.3]\n"));
  const Batch batch = load_batch(file.path(), {"environments=2"});
  EXPECT_NE(batch.environments[0].scene.soft_bodies[0].mesh.nodes.back().x,
            batch.environments[1].scene.soft_bodies[0].mesh.nodes.back().x);
}

TEST(LoadBatch, RecordedEnvironments) {
  const auto recorded = [](const std::string& words) {
    return load_batch(ScenarioFile().path(), {"environments=4", "output.record_envs=" + words})
        .recorded;
  };
  EXPECT_THAT(load_batch(ScenarioFile().path(), {"environments=4"}).recorded, ElementsAre(0));
  EXPECT_THAT(recorded("all"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(recorded("none"), IsEmpty());
  EXPECT_THAT(recorded("3,1,3"), ElementsAre(1, 3));
  for (const char* bad : {"4", "-1", "1,", ",1", "1 2", "1;2", "every", "0x1", "99999999999"}) {
    EXPECT_THAT(message({"environments=4", std::string("output.record_envs='") + bad + "'"}),
                HasSubstr("must be all, none, or numbers in [0, 3] with commas"))
        << bad;
  }
}

TEST(LoadBatch, RefusesWhatEnvironmentsCannotHave) {
  for (const char* count : {"0", "-1", "1.5", "many", "100001"}) {
    EXPECT_THAT(message({std::string("environments=") + count}), HasSubstr("environments"))
        << count;
  }
  for (const char* range : {"time.step_s=[0.01, 0.02]", "solver.tolerance=[1e-5, 1e-4]"}) {
    EXPECT_THAT(message({"environments=2", std::string("randomize.") + range}),
                HasSubstr("must be the same in every environment"));
    EXPECT_EQ(message({std::string("randomize.") + range}), "");
  }
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(message({"environments=2"}, kMost - 1), "");
  EXPECT_THAT(message({"environments=2"}, kMost), HasSubstr("seed"));
}

}  // namespace
}  // namespace nodia
