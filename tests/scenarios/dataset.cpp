#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "host/io/sha256.hpp"
#include "scenarios/build/drawn_json.hpp"
#include "scenarios/dataset/dataset.hpp"
#include "scenarios/dataset/dataset_folder.hpp"
#include "scenarios/dataset/episode_recorder.hpp"
#include "scenarios/dataset/generator.hpp"
#include "scenarios/dataset/replay.hpp"
#include "tests/scenarios/task_scenario.hpp"

namespace nodia {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const char* const kTask =
    "{text: move, control_hz: 25, observe: [arm.joints, block.nodes, block.contact_force, time], "
    "record: {what: [state, wrench, contacts], every: 2}, "
    "action: {joints: [base_x, base_yaw], low: {base_yaw: -1}, high: {base_yaw: 1}}}";
const char* const kRanges =
    "randomize: {bodies.block.friction: [0.2, 0.9], bodies.block.youngs_modulus_Pa: [5e4, 2e5]}\n";

/// A folder with the request of a small scenario, as open_dataset() leaves it.
class SmallDataset {
 public:
  explicit SmallDataset(int episodes = 5, int block = 2,
                        const std::vector<std::string>& overrides = {},
                        const std::string& more = kRanges)
      : overrides_(overrides),
        file_(test::task_scenario(kTask) + more),
        asked_(ask(episodes, block)),
        request_(open_dataset(path(), asked_, OtherBuild::refuse)) {}

  AskedDataset ask(int episodes, int block, std::vector<std::string> more = {}) const {
    std::vector<std::string> overrides = {"time.duration_s=0.2", "seed=7"};
    overrides.insert(overrides.end(), overrides_.begin(), overrides_.end());
    overrides.insert(overrides.end(), more.begin(), more.end());
    ScenarioSource source(read_yaml_file(file_.path()), overrides);
    return asked_dataset(source, episodes, block);
  }
  /// Episode k of seed 7, sampled without a dataset.
  Scenario sampled(std::uint64_t k) const {
    return load_scenario(file_.path(), overrides_, DrawSeed(7, k));
  }
  std::string path() const { return folder_.file("d"); }
  const DatasetRequest& request() const { return request_; }
  std::string bytes(const std::string& name) const { return test::text_of(path() + "/" + name); }

  Generated generate(const GenerateOptions& options = {},
                     const ActorMaker& actors = script_actor()) const {
    const std::atomic<bool> never = false;
    return nodia::generate(path(), request_, actors, options, never);
  }

 private:
  std::vector<std::string> overrides_;
  test::ScenarioFile file_;
  test::TemporaryFolder folder_;
  AskedDataset asked_;
  DatasetRequest request_;
};

const std::vector<std::string> kFiles = {
    "dataset.yaml",       "blocks/000000.h5", "blocks/000000.json", "blocks/000001.h5",
    "blocks/000001.json", "blocks/000002.h5", "blocks/000002.json"};

void expect_equal_files(const SmallDataset& a, const SmallDataset& b) {
  for (const std::string& name : kFiles) {
    EXPECT_FALSE(a.bytes(name).empty()) << name;
    EXPECT_EQ(a.bytes(name), b.bytes(name)) << name;
  }
}

std::string input_error(const std::function<void()>& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// The script, but in some episodes another action from a control step on.
class Planted : public Actor {
 public:
  Planted(double value, int step) : value_(value), step_(step) {}
  std::vector<double> action(const TaskEnvironments& environments, int env) override {
    std::vector<double> action = environments.script_action(env);
    if (n_++ >= step_) action.front() = value_;
    return action;
  }

 private:
  double value_;
  int step_, n_ = 0;
};

TEST(Dataset, HasTheBytesOfTheRequestHoweverItIsMade) {
  const SmallDataset plain, threads, shards, twice;
  EXPECT_EQ(plain.generate().n_block, 3);
  GenerateOptions three;
  three.threads = 3;
  EXPECT_EQ(threads.generate(three).n_episode, 5);
  GenerateOptions second, first;
  second.shard = {1, 2};
  first.shard = {0, 2};
  EXPECT_EQ(shards.generate(second).n_episode, 2);
  EXPECT_EQ(count_episodes(shards.path(), shards.request()).missing, (std::vector<int>{0, 2}));
  EXPECT_FALSE(content_sha256(shards.path(), shards.request()));
  EXPECT_EQ(shards.generate(first).n_episode, 3);
  twice.generate();
  std::filesystem::remove(twice.path() + "/blocks/000001.json");
  EXPECT_EQ(twice.generate().n_block, 1);
  EXPECT_EQ(twice.generate().n_block, 0);
  for (const SmallDataset* other : {&threads, &shards, &twice}) expect_equal_files(plain, *other);
  EXPECT_EQ(content_sha256(plain.path(), plain.request()),
            content_sha256(shards.path(), shards.request()));
  EXPECT_THAT(dataset_damage(plain.path(), plain.request()), IsEmpty());
}

TEST(Dataset, AnEpisodeAloneHasTheBitsThatItHasInItsBlock) {
  const SmallDataset dataset;
  dataset.generate();
  EpisodeMaker maker(dataset.request(), "elsewhere");
  for (const int k : {3, 0}) {
    const ArrayGroup made = *maker.make(k, script_actor());
    const ArrayGroup recorded =
        read_array_group(block_path(dataset.path(), k / 2, ".h5"), episode_name(k));
    EXPECT_EQ(first_difference(recorded, made), "");
  }
}

TEST(Dataset, EpisodesDifferAndKeepWhatIsAsked) {
  const SmallDataset dataset(2, 1);
  dataset.generate();
  const ArrayGroup a = read_array_group(block_path(dataset.path(), 0, ".h5"), "episode_000000");
  const ArrayGroup b = read_array_group(block_path(dataset.path(), 1, ".h5"), "episode_000001");
  EXPECT_NE(a.attributes.at("drawn"), b.attributes.at("drawn"));
  const auto shape = [&](const char* name) { return a.arrays.at(name).shape; };
  EXPECT_THAT(shape("time_s"), ElementsAre(6));
  EXPECT_THAT(shape("action"), ElementsAre(5, 2));
  EXPECT_THAT(shape("observation/block.nodes"), ElementsAre(6, 8, 3));
  EXPECT_THAT(shape("quality/status"), ElementsAre(5));
  EXPECT_THAT(shape("start/x"), ElementsAre(8, 3));
  EXPECT_THAT(shape("recorded_step"), ElementsAre(2));
  EXPECT_THAT(shape("state/x"), ElementsAre(2, 8, 3));
  EXPECT_THAT(shape("wrench/wrist"), ElementsAre(2, 6));
  EXPECT_THAT(shape("contacts/offsets"), ElementsAre(3));
  EXPECT_THAT(std::get<std::vector<std::int32_t>>(a.arrays.at("recorded_step").values),
              ElementsAre(1, 3));
  for (const auto& [name, array] : a.arrays) EXPECT_TRUE(array.attributes.contains("unit")) << name;
  // The observation of the nodes at the end of control step 3 is the recorded state, in float32.
  const auto& seen = std::get<std::vector<float>>(a.arrays.at("observation/block.nodes").values);
  const auto& state = std::get<std::vector<double>>(a.arrays.at("state/x").values);
  for (std::size_t i = 0; i < 24; ++i)
    EXPECT_EQ(seen[4 * 24 + i], static_cast<float>(state[24 + i]));
  // The block stands on the floor: what the floor's contacts carry is what is observed.
  const auto& force = std::get<std::vector<float>>(a.arrays.at("contacts/force_N").values);
  const auto& offsets = std::get<std::vector<std::int64_t>>(a.arrays.at("contacts/offsets").values);
  double lifted_N = 0;
  for (std::int64_t c = offsets[1]; c < offsets[2]; ++c) lifted_N += force[3 * c + 2];
  const auto& on_block =
      std::get<std::vector<float>>(a.arrays.at("observation/block.contact_force").values);
  EXPECT_GT(offsets[2], 0);
  EXPECT_NEAR(lifted_N, on_block[4 * 3 + 2], 1e-5 * std::abs(lifted_N));
}

TEST(Dataset, AFailedEpisodeKeepsItsPlaceAndTheOthersTheirBits) {
  const SmallDataset plain, planted;
  plain.generate();
  planted.generate({}, [](const Scenario& episode) -> std::unique_ptr<Actor> {
    const bool bad = episode.drawn_by.episode == 2;
    return std::make_unique<Planted>(std::numeric_limits<double>::quiet_NaN(), bad ? 3 : 1000);
  });
  const auto at = [](const SmallDataset& d, int k) {
    return read_block_entry(d.path(), d.request(), k / 2).episodes.at(k % 2);
  };
  for (const int k : {0, 1, 3, 4}) EXPECT_EQ(at(plain, k).sha256, at(planted, k).sha256);
  const EpisodeEntry failed = at(planted, 2);
  EXPECT_EQ(failed.status, "failed");
  EXPECT_EQ(failed.cause, "bad_action");
  EXPECT_EQ(failed.failed_step, 3);
  EXPECT_EQ(failed.steps, 4);
  const DatasetCounts counts = count_episodes(planted.path(), planted.request());
  EXPECT_EQ(counts.n_quarantined, 1);
  EXPECT_EQ(counts.causes.at("bad_action"), 1);
  EXPECT_THAT(dataset_damage(planted.path(), planted.request()), IsEmpty());
  const ArrayGroup episode =
      read_array_group(block_path(planted.path(), 1, ".h5"), episode_name(2));
  EXPECT_THAT(std::get<std::string>(episode.attributes.at("cause_text")), HasSubstr("base_x"));
  EXPECT_TRUE(std::isnan(std::get<std::vector<float>>(episode.arrays.at("action").values)[6]));
  for (const float seen :
       std::get<std::vector<float>>(episode.arrays.at("observation/block.nodes").values))
    EXPECT_TRUE(std::isfinite(seen));
}

/// The script, but no action in control step `step`.
class GivesUp : public Planted {
 public:
  explicit GivesUp(int step) : Planted(0, 1000), step_(step) {}
  std::vector<double> action(const TaskEnvironments& environments, int env) override {
    if (step_-- == 0) throw ActorFailure("no idea");
    return Planted::action(environments, env);
  }

 private:
  int step_;
};

TEST(Dataset, AnActorWithoutAnActionFailsItsEpisodeAlone) {
  const SmallDataset plain, planted;
  plain.generate();
  planted.generate({}, [](const Scenario& episode) {
    return std::make_unique<GivesUp>(static_cast<int>(episode.drawn_by.episode) - 1);
  });
  const auto at = [](const SmallDataset& d, int k) {
    return read_block_entry(d.path(), d.request(), k / 2).episodes.at(k % 2);
  };
  EXPECT_EQ(at(plain, 0).sha256, at(planted, 0).sha256);
  for (const int k : {1, 2, 3, 4}) {
    EXPECT_EQ(at(planted, k).cause, "bad_policy");
    EXPECT_EQ(at(planted, k).failed_step, k - 1);
    EXPECT_EQ(at(planted, k).steps, k);
    EXPECT_EQ(replay(planted.path(), planted.request(), k).difference, "");
    const ArrayGroup episode =
        read_array_group(block_path(planted.path(), k / 2, ".h5"), episode_name(k));
    EXPECT_EQ(std::get<std::string>(episode.attributes.at("cause_text")), "no idea");
    EXPECT_TRUE(
        std::isnan(std::get<std::vector<float>>(episode.arrays.at("action").values).back()));
  }
  EXPECT_THAT(dataset_damage(planted.path(), planted.request()), IsEmpty());
}

TEST(Dataset, InvalidStartsAreDrawnAgainAndCounted) {
  // The block's lower corner: down to 30 mm in the floor.
  const char* const ranges = "randomize: {bodies.block.position_m.2: [-0.03, 0.03]}\n";
  const SmallDataset dataset(12, 12, {}, ranges);
  dataset.generate();
  int n_redrawn = 0;
  for (int k = 0; k < 12; ++k) {
    const ArrayGroup episode =
        read_array_group(block_path(dataset.path(), 0, ".h5"), episode_name(k));
    EXPECT_EQ(std::get<std::string>(episode.attributes.at("status")), "good");
    const std::string drawn = std::get<std::string>(episode.attributes.at("drawn"));
    EXPECT_GT(std::stod(drawn.substr(drawn.find(':') + 1)), -1e-3) << drawn;
    const auto attempt = std::get<std::int64_t>(episode.attributes.at("attempt"));
    n_redrawn += attempt > 0 ? 1 : 0;
    if (attempt == 0) continue;
    const auto& refused = std::get<std::vector<std::string>>(episode.attributes.at("refused"));
    EXPECT_EQ(refused.size(), static_cast<std::size_t>(attempt));
    EXPECT_THAT(refused.front(), HasSubstr("block lies in floor"));
  }
  EXPECT_GT(n_redrawn, 2);
  EXPECT_LT(n_redrawn, 11);
  EXPECT_EQ(count_episodes(dataset.path(), dataset.request()).n_redrawn, n_redrawn);
}

TEST(Dataset, WithoutAValidStartAnEpisodeIsQuarantined) {
  const char* const ranges = "randomize: {bodies.block.position_m.2: [-0.03, -0.02]}\n";
  const SmallDataset dataset(1, 1, {}, ranges);
  dataset.generate();
  const ArrayGroup episode =
      read_array_group(block_path(dataset.path(), 0, ".h5"), episode_name(0));
  EXPECT_EQ(std::get<std::string>(episode.attributes.at("cause")), "no_valid_start");
  EXPECT_EQ(std::get<std::int64_t>(episode.attributes.at("steps")), 0);
  EXPECT_EQ(std::get<std::vector<std::string>>(episode.attributes.at("refused")).size(),
            static_cast<std::size_t>(kMostAttempts));
  EXPECT_THAT(episode.arrays, IsEmpty());
  EXPECT_THAT(dataset_damage(dataset.path(), dataset.request()), IsEmpty());
}

TEST(Dataset, EpisodeKHasTheValuesThatItsSeedAndNumberSample) {
  const SmallDataset dataset(4, 2);
  dataset.generate();
  for (int k = 0; k < 4; ++k) {
    const ArrayGroup episode =
        read_array_group(block_path(dataset.path(), k / 2, ".h5"), episode_name(k));
    EXPECT_EQ(std::get<std::int64_t>(episode.attributes.at("episode")), k);
    EXPECT_EQ(std::get<std::string>(episode.attributes.at("drawn")),
              drawn_json(dataset.sampled(static_cast<std::uint64_t>(k)).drawn));
  }
}

/// Nothing is drawn where a dataset is asked for.
TEST(Dataset, IsAskedForWhateverTheFirstDrawIs) {
  const char* const ring =
      "rigid_bodies: {ring: {shape: torus, radius_m: 0.1, tube_radius_m: 0.05, mass_kg: 1, "
      "position_m: [5, 0, 0.5]}}\n"
      "randomize: {rigid_bodies.ring.tube_radius_m: [0.05, 0.15]}\n";
  int n_redrawn = 0;
  for (const char* seed : {"seed=1", "seed=3", "seed=4", "seed=5"}) {
    const SmallDataset dataset(1, 1, {seed}, ring);
    EXPECT_EQ(dataset.ask(1, 1).scenario.drawn.size(), 0u);
    dataset.generate();
    const DatasetCounts counts = count_episodes(dataset.path(), dataset.request());
    EXPECT_EQ(counts.n_quarantined, 0);
    n_redrawn += static_cast<int>(counts.n_redrawn);
  }
  EXPECT_GT(n_redrawn, 0);
  const SmallDataset never(2, 2, {"randomize.rigid_bodies.ring.tube_radius_m=[0.2, 0.3]"}, ring);
  never.generate();
  EXPECT_EQ(count_episodes(never.path(), never.request()).causes.at("no_valid_start"), 2);
}

TEST(Dataset, HoldsWhatFollowsAKeyThatIsSet) {
  const SmallDataset dataset(
      2, 2, {"bodies.block.friction=0.25"},
      "randomize: {bodies.block.friction: [0.2, 0.9], "
      "obstacles.floor.friction: {same_as: bodies.block.friction, times: 2}, "
      "bodies.block.youngs_modulus_Pa: [5e4, 2e5]}\n");
  dataset.generate();
  const ArrayGroup episode =
      read_array_group(block_path(dataset.path(), 0, ".h5"), episode_name(1));
  EXPECT_THAT(std::get<std::string>(episode.attributes.at("drawn")),
              HasSubstr("\"obstacles.floor.friction\":0.5"));
}

/// What changes no bit is not drawn either.
TEST(Dataset, DrawsWhatItsEpisodesDependOnAlone) {
  const std::string checks = "checks: {depth: {check: max_penetration, bound_m: 1e-3}}\n";
  const SmallDataset plain(2, 2, {}, checks + kRanges);
  const SmallDataset drawn(2, 2,
                           {"randomize.checks.depth.bound_m=[1e-4, 1e-3]",
                            "randomize.output.every_steps={integer: [1, 3]}",
                            "randomize.output.part_frames={same_as: output.every_steps}",
                            "randomize.solver.threads={integer: [1, 2]}"},
                           checks + kRanges);
  EXPECT_EQ(drawn.bytes("dataset.yaml"), plain.bytes("dataset.yaml"));
  EXPECT_EQ(drawn.generate().n_episode, 2);
  EXPECT_THAT(input_error([&] {
                plain.ask(2, 2,
                          {"randomize.checks.depth.bound_m=[1e-4, 1e-3]",
                           "randomize.obstacles.floor.friction={same_as: checks.depth.bound_m}"});
              }),
              HasSubstr("randomize.obstacles.floor.friction = {...} (must be same_as a key that an "
                        "episode depends on; checks.depth.bound_m is none)"));
}

TEST(Dataset, HasOneTask) {
  const SmallDataset dataset;
  const auto refused = [&](const std::vector<std::string>& more) {
    return input_error([&] { dataset.ask(2, 2, more); });
  };
  EXPECT_THAT(refused({"randomize.task.control_hz={choice: [25, 50]}"}),
              testing::EndsWith("randomize.task.control_hz = {...} (must be the same in every "
                                "episode of a dataset; take the range out, or set a value)"));
  EXPECT_THAT(refused({"randomize.task.record.every={integer: [1, 2]}"}),
              HasSubstr("must be the same in every episode of a dataset"));
  EXPECT_EQ(refused({"randomize.task.record.every={integer: [1, 2]}", "task.record.every=2"}), "");
  // Of five control steps.
  EXPECT_EQ(refused({"randomize.task.delay_steps={integer: [0, 4]}"}), "");
  EXPECT_THAT(refused({"randomize.task.delay_steps={integer: [0, 5]}"}),
              testing::EndsWith("randomize.task.delay_steps = {...} (must draw less than the "
                                "episode's 5 control steps; it may draw 5)"));
  EXPECT_THAT(refused({"task.delay_steps=5"}),
              HasSubstr("task.delay_steps = 5 (must be less than the episode's 5 control steps"));
  EXPECT_EQ(refused({"randomize.task.delay_steps={integer: [0, 5]}",
                     "randomize.time.step_s={choice: [0.01, 0.02]}"}),
            "")
      << "the episode's own steps count";
}

TEST(Dataset, StoppedItLeavesWholeBlocksOnly) {
  const SmallDataset dataset;
  std::atomic<bool> stop = false;
  GenerateOptions options;
  options.progress = [&](int n_episode) { stop = n_episode >= 3; };
  const Generated made = generate(dataset.path(), dataset.request(), script_actor(), options, stop);
  EXPECT_TRUE(made.stopped);
  EXPECT_EQ(made.n_block, 1);
  EXPECT_EQ(count_episodes(dataset.path(), dataset.request()).missing, (std::vector<int>{1, 2}));
  EXPECT_THAT(dataset_damage(dataset.path(), dataset.request()), IsEmpty());
  dataset.generate();
  const SmallDataset plain;
  plain.generate();
  expect_equal_files(plain, dataset);
}

TEST(Dataset, AnotherRequestIsRefusedByTheKeyThatDiffers) {
  const SmallDataset dataset;
  const auto refused = [&](const AskedDataset& asked) {
    return input_error([&] { open_dataset(dataset.path(), asked, OtherBuild::refuse); });
  };
  EXPECT_EQ(refused(dataset.ask(5, 2)), "");
  EXPECT_THAT(refused(dataset.ask(6, 2)), HasSubstr("episodes = 6 is asked for, and 5 in"));
  EXPECT_THAT(refused(dataset.ask(5, 3)), HasSubstr("block = 3 is asked for, and 2 in"));
  EXPECT_THAT(refused(dataset.ask(5, 2, {"seed=8"})), HasSubstr("seed = 8"));
  EXPECT_THAT(refused(dataset.ask(5, 2, {"solver.tolerance=1e-3"})),
              HasSubstr("scenario.solver.tolerance = "));
  EXPECT_THAT(refused(dataset.ask(5, 2, {"bodies.block.friction=0.3"})),
              HasSubstr("scenario.bodies.block.friction"));
  AskedDataset other = dataset.ask(5, 2);
  other.request.build = "another";
  EXPECT_THAT(refused(other), HasSubstr("--other-build"));
  EXPECT_EQ(input_error([&] { open_dataset(dataset.path(), other, OtherBuild::allow); }), "");
  // What changes no bit is no other request.
  EXPECT_EQ(refused(dataset.ask(5, 2, {"solver.threads=2", "output.every_steps=7"})), "");
}

TEST(Dataset, AFolderOfOtherThingsIsLeftAlone) {
  const SmallDataset dataset;
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("config.yaml")) << "x";
  EXPECT_THAT(
      input_error([&] { open_dataset(folder.path(), dataset.ask(5, 2), OtherBuild::refuse); }),
      HasSubstr("holds config.yaml and no dataset.yaml"));
  EXPECT_FALSE(folder.has("blocks"));
  EXPECT_THAT(input_error([&] { read_dataset(folder.path()); }), HasSubstr("no dataset"));
  EXPECT_THAT(input_error([&] { read_dataset(folder.file("none")); }), HasSubstr("no such folder"));
}

TEST(Dataset, HoldsItsFilesAndNeedsNoOthers) {
  const test::TemporaryFolder source, target;
  for (const char* name : {"free_gripper_two_drives.urdf"})
    std::filesystem::copy(test::source_file("scenarios/assets/free_gripper/" + std::string(name)),
                          source.file("robot.urdf"));
  std::string text = test::task_scenario(kTask) + kRanges;
  const std::string was =
      test::source_file("scenarios/assets/free_gripper/free_gripper_two_drives.urdf");
  text.replace(text.find(was), was.size(), source.file("robot.urdf"));
  std::ofstream(source.file("s.yaml")) << text;
  ScenarioSource scenario(read_yaml_file(source.file("s.yaml")), {"time.duration_s=0.2"});
  const AskedDataset asked = asked_dataset(scenario, 1, 1);
  const std::string folder = target.file("d");
  open_dataset(folder, asked, OtherBuild::refuse);
  EXPECT_THAT(test::text_of(folder + "/dataset.yaml"), ::testing::Not(HasSubstr(source.path())));
  std::filesystem::remove_all(source.path());
  // Moved elsewhere it is the same.
  std::filesystem::rename(folder, target.file("moved"));
  const std::atomic<bool> never = false;
  const DatasetRequest request = read_dataset(target.file("moved"));
  generate(target.file("moved"), request, script_actor(), {}, never);
  EXPECT_THAT(dataset_damage(target.file("moved"), request), IsEmpty());
  const std::string asset = target.file("moved/assets/" + request.assets.front());
  std::ofstream(asset, std::ios::app) << " ";
  EXPECT_THAT(dataset_damage(target.file("moved"), request).front(), HasSubstr("assets/"));
  EXPECT_THAT(input_error([&] { open_dataset(target.file("moved"), asked, OtherBuild::refuse); }),
              HasSubstr("damaged"));
}

TEST(Dataset, AnyChangedByteOfABlockIsFound) {
  const SmallDataset dataset(2, 2);
  dataset.generate();
  std::mt19937 random(5);
  for (const std::string name : {"blocks/000000.h5", "blocks/000000.json"}) {
    const std::string whole = dataset.bytes(name);
    for (int trial = 0; trial < 40; ++trial) {
      std::string damaged = whole;
      char& byte = damaged[random() % damaged.size()];
      byte = static_cast<char>(byte ^ (1 << (random() % 7)));
      std::ofstream(dataset.path() + "/" + name, std::ios::binary) << damaged;
      EXPECT_NE(block_damage(dataset.path(), dataset.request(), 0), "") << name;
    }
    std::ofstream(dataset.path() + "/" + name, std::ios::binary) << whole;
    EXPECT_EQ(block_damage(dataset.path(), dataset.request(), 0), "");
  }
  std::filesystem::remove(dataset.path() + "/blocks/000000.h5");
  EXPECT_EQ(count_episodes(dataset.path(), dataset.request()).missing, std::vector{0})
      << "a block has two files";
}

TEST(Dataset, AnActionIsRecordedAsItActs) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int trial = 0; trial < 2000; ++trial) {
    const double high = std::exp(6 * unit(random)), low = -std::exp(6 * unit(random));
    const std::vector<ActionComponent> components = {{"a", "m", low, high}};
    const double share = trial % 10 == 0 ? 1 : std::abs(unit(random));
    const double given = unit(random) > 0 ? share * high : share * low;
    const double acts = recordable_action({given}, components).front();
    EXPECT_EQ(acts, static_cast<double>(static_cast<float>(acts)));
    EXPECT_LE(acts, high);
    EXPECT_GE(acts, low);
    EXPECT_NEAR(acts, given, 1.2e-7 * std::abs(given));
  }
  const std::vector<ActionComponent> one = {{"a", "m", -1, 1}};
  EXPECT_EQ(recordable_action({3}, one).front(), 3);  // beyond its bounds it stays, to be cut
  EXPECT_TRUE(std::isnan(recordable_action({std::nan("")}, one).front()));
}

TEST(Dataset, ReplayIgnoresQuantitiesOfContactsThatAnOlderRecordingLacks) {
  const NamedArray array{{1}, std::vector<float>{2}, {}};
  ArrayGroup recorded, made;
  recorded.arrays = {{"action", array}, {"contacts/force_N", array}};
  made.arrays = recorded.arrays;
  made.arrays["contacts/gap_end_m"] = array;
  drop_new_contact_quantities(recorded, &made);
  EXPECT_EQ(first_difference(recorded, made), "");

  made.arrays["reward"] = array;
  drop_new_contact_quantities(recorded, &made);
  EXPECT_NE(first_difference(recorded, made), "") << "only quantities of contacts are added";

  made.arrays = recorded.arrays;
  recorded.arrays.erase("contacts/force_N");
  drop_new_contact_quantities(recorded, &made);
  EXPECT_NE(first_difference(recorded, made), "") << "the recording has no contacts at all";
}

}  // namespace
}  // namespace nodia
