/// Rules of `randomize`: distributions against their known shares, what each accepts and refuses,
/// and everything that is to be drawable.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "kernels/core/number.hpp"
#include "kernels/core/rotation.hpp"
#include "scenarios/format/yaml_json.hpp"
#include "tests/scenarios/scenario_files.hpp"
#include "tests/scenarios/task_scenario.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

using test::message;
using test::ScenarioFile;
using test::with;
using ::testing::HasSubstr;

constexpr const char* kKey = "bodies.block.friction";
constexpr int kDraws = 4000;

DrawRule rule_of(const std::function<void(DrawRule*)>& set) {
  DrawRule rule;
  rule.key = kKey;
  set(&rule);
  EXPECT_EQ(broken_rule(rule), "");
  return rule;
}

std::vector<double> drawn(const DrawRule& rule) {
  std::vector<double> values;
  for (int k = 0; k < kDraws; ++k)
    values.push_back(
        *parse_real(draw_value(rule, {7, static_cast<std::uint64_t>(k)}, nullptr).text));
  return values;
}

/// Kolmogorov and Smirnov: the largest distance from the distribution function, which is above
/// 1.95/sqrt(n) once in a thousand.
void expect_distribution(std::vector<double> values, const std::function<double(double)>& below) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double distance = 0;
  for (std::size_t k = 0; k < values.size(); ++k)
    distance = std::max(
        {distance, std::fabs(below(values[k]) - k / n), std::fabs(below(values[k]) - (k + 1) / n)});
  EXPECT_LT(distance, 1.95 / std::sqrt(n));
}

TEST(DrawRules, LogUniform) {
  const std::vector<double> values = drawn(rule_of([](DrawRule* r) {
    r->log_uniform = {2e4, 2e6};
  }));
  for (const double x : values) {
    EXPECT_GE(x, 2e4);
    EXPECT_LE(x, 2e6);
  }
  expect_distribution(values, [](double x) { return std::log(x / 2e4) / std::log(100); });
}

double normal_below(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

TEST(DrawRules, NormalWithin) {
  struct Case {
    double mean, deviation, low, high;
  };
  for (const Case& c : {Case{0.5, 0.1, 0.2, 0.8}, Case{0.5, 0.1, 0.55, 2}, Case{0, 1, -3, 0.1},
                        Case{3, 0.01, 1, 7}, Case{0, 5, 0.1, 0.2}, Case{-2, 1, 0, 1}}) {
    SCOPED_TRACE(testing::Message() << c.mean << " " << c.low << " " << c.high);
    const std::vector<double> values = drawn(rule_of([&](DrawRule* r) {
      r->normal = {c.mean, c.deviation};
      r->within = {c.low, c.high};
    }));
    for (const double x : values) {
      ASSERT_GE(x, c.low);
      ASSERT_LE(x, c.high);
    }
    const double from = normal_below((c.low - c.mean) / c.deviation);
    const double to = normal_below((c.high - c.mean) / c.deviation);
    expect_distribution(values, [&](double x) {
      return (normal_below((x - c.mean) / c.deviation) - from) / (to - from);
    });
  }
}

/// Far out the distribution falls like exp(-z x): where erfc still has a value.
TEST(DrawRules, NormalFarFromItsMean) {
  for (const double side : {1.0, -1.0}) {
    const std::vector<double> values = drawn(rule_of([&](DrawRule* r) {
      r->normal = {0, 1};
      r->within = side > 0 ? std::vector<double>{30, 31} : std::vector<double>{-31, -30};
    }));
    const double from = std::erfc(30 / std::sqrt(2.0)), to = std::erfc(31 / std::sqrt(2.0));
    expect_distribution(values, [&](double x) {
      const double share = (from - std::erfc(std::fabs(x) / std::sqrt(2.0))) / (from - to);
      return side > 0 ? share : 1 - share;
    });
  }
}

/// By the inverse of the distribution: a larger number of the hash gives a larger value.
TEST(DrawRules, NumbersGrowWithTheHash) {
  for (const DrawRule& rule : {rule_of([](DrawRule* r) {
                                 r->log_uniform = {1e-3, 1e3};
                               }),
                               rule_of([](DrawRule* r) {
                                 r->normal = {0, 1};
                                 r->within = {-1, 6};
                               })}) {
    std::vector<std::pair<double, double>> pairs;
    const std::vector<double> values = drawn(rule);
    for (std::size_t k = 0; k < values.size(); ++k)
      pairs.emplace_back(draw_unit({7, k}, kKey), values[k]);
    std::sort(pairs.begin(), pairs.end());
    for (std::size_t k = 1; k < pairs.size(); ++k) ASSERT_GT(pairs[k].second, pairs[k - 1].second);
  }
}

TEST(DrawRules, IntegersHaveBothEnds) {
  std::map<double, int> count;
  for (const double x : drawn(rule_of([](DrawRule* r) { r->integer = {-2, 3}; }))) ++count[x];
  ASSERT_EQ(count.size(), 6u);
  for (const auto& [x, n] : count) {
    EXPECT_EQ(x, std::floor(x));
    EXPECT_NEAR(n, kDraws / 6.0, 5 * std::sqrt(kDraws * 5 / 36.0)) << x;
  }
}

TEST(DrawRules, ChoicesAreEquallyLikely) {
  std::map<std::string, int> count;
  const DrawRule rule = rule_of([](DrawRule* r) {
    r->choice = {yaml_plain("1"), yaml_text("two"), yaml_plain("[3]")};
  });
  for (std::uint64_t k = 0; k < kDraws; ++k) ++count[draw_value(rule, {k}, nullptr).text];
  ASSERT_EQ(count.size(), 3u);
  for (const auto& [word, n] : count)
    EXPECT_NEAR(n, kDraws / 3.0, 5 * std::sqrt(kDraws * 2 / 9.0)) << word;
}

Quaternion quaternion(const YamlNode& node) {
  return {*parse_real(node.children[0].text), *parse_real(node.children[1].text),
          *parse_real(node.children[2].text), *parse_real(node.children[3].text)};
}

/// Moments of the group: the mean of every component's square is 1/4, products vanish; the angle is
/// distributed as (a - sin a)/pi.
TEST(DrawRules, RotationsAreUniform) {
  const DrawRule rule = rule_of([](DrawRule* r) { r->rotation.emplace(); });
  const YamlNode written = parse_yaml("[0.5, 0.5, -0.5, 0.5]", std::make_shared<YamlSource>());
  double moment[4][4] = {};
  std::vector<double> angles;
  for (std::uint64_t k = 0; k < kDraws; ++k) {
    const Quaternion q = quaternion(draw_value(rule, {3, k}, &written));
    const double c[4] = {q.w, q.x, q.y, q.z};
    EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-14);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) moment[i][j] += c[i] * c[j] / kDraws;
    angles.push_back(2 * std::acos(std::min(1.0, std::fabs(q.w))));
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)  // standard deviation of a square sqrt(1/16), of a product less
      EXPECT_NEAR(moment[i][j], i == j ? 0.25 : 0, 5 * 0.25 / std::sqrt(kDraws));
  expect_distribution(angles, [](double a) { return (a - std::sin(a)) / M_PI; });
}

TEST(DrawRules, RotationsStayWithinTheirAngleOfWhatIsWritten) {
  const YamlNode written = parse_yaml("[0.6, 0, 0.8, 0]", std::make_shared<YamlSource>());
  const Quaternion at = quaternion(written);
  const DrawRule rule = rule_of([](DrawRule* r) {
    r->rotation.emplace();
    r->rotation->within_rad = 0.3;
  });
  const DrawRule about = rule_of([](DrawRule* r) {
    r->rotation.emplace();
    r->rotation->about = {0, 0, 2};
    r->rotation->within_rad = 0.3;
  });
  std::vector<double> angles, turns;
  for (std::uint64_t k = 0; k < kDraws; ++k) {
    const Quaternion turn =
        quaternion(draw_value(rule, {k}, &written)) * Quaternion{at.w, -at.x, -at.y, -at.z};
    const double sine = std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    angles.push_back(2 * std::atan2(sine, std::fabs(turn.w)));
    const Quaternion own =
        quaternion(draw_value(about, {k}, &written)) * Quaternion{at.w, -at.x, -at.y, -at.z};
    EXPECT_NEAR(std::hypot(own.x, own.y), 0, 1e-15);
    turns.push_back(2 * std::atan2(own.z, own.w));
  }
  EXPECT_LT(*std::max_element(angles.begin(), angles.end()), 0.3 + 1e-14);
  expect_distribution(angles, [](double a) { return (a - std::sin(a)) / (0.3 - std::sin(0.3)); });
  expect_distribution(turns, [](double a) { return (a + 0.3) / 0.6; });
}

/// Of the good scenario, whose `randomize` is this one.
ScenarioFile drawing(const std::string& rules) {
  const std::string text = test::kGoodScenario;
  const std::size_t from = text.find("randomize:\n"), to = text.find("checks:\n");
  return ScenarioFile(text.substr(0, from) + "randomize:\n" + rules + text.substr(to));
}

std::string refusal(const std::string& rules) {
  return message(drawing(rules));
}

TEST(DrawRules, WhatFollowsAnotherKeyHasItsValue) {
  const ScenarioFile file = drawing(
      "  obstacles.globe.friction: {same_as: bodies.block.friction, times: 2}\n"
      "  bodies.block.friction: [0.1, 0.5]\n"
      "  obstacles.floor.friction: {same_as: obstacles.globe.friction}\n");
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Scene scene = load_scenario(file.path(), {}, seed).scene;
    EXPECT_EQ(scene.obstacles[2].friction, 2 * scene.soft_bodies[0].friction);
    EXPECT_EQ(scene.obstacles[0].friction, scene.obstacles[2].friction);
  }
  EXPECT_EQ(load_scenario(file.path(), {"block.friction=0.2"}, 1).scene.obstacles[0].friction, 0.4);
  const std::string block =
      "bodies.block={mesh: {box: {size_m: [1, 1, 1], cells: [1, 1, 1]}}, "
      "youngs_modulus_Pa: 1e5}";
  EXPECT_THAT(message(file, {block}, 1),
              HasSubstr("which an override leaves without a value; set it too"));
}

/// A run writes what it was asked for, and that runs again: what followed a key that is set now is
/// held at its value.
TEST(DrawRules, WhatFollowsAKeyThatIsSetIsWrittenWithItsValue) {
  const ScenarioFile file = drawing(
      "  obstacles.globe.friction: {same_as: bodies.block.friction, times: 2}\n"
      "  bodies.block.friction: [0.1, 0.5]\n"
      "  bodies.block.density_kg_m3: [900, 1100]\n"
      "  obstacles.floor.friction: {same_as: obstacles.globe.friction}\n");
  const std::vector<std::string> set = {"block.friction=0.2"};
  for (const std::string& written :
       {load_scenario(file.path(), set).resolved_yaml, load_batch(file.path(), set).resolved_yaml,
        load_batch(file.path(), {"environments=2", set[0]}, 7).resolved_yaml}) {
    const ScenarioFile copy(written);
    for (std::uint64_t seed = 7; seed < 10; ++seed) {
      const Scenario was = load_scenario(file.path(), set, seed);
      const Scenario is = load_scenario(copy.path(), {}, seed);
      EXPECT_EQ(is.scene.obstacles[2].friction, 0.4);
      EXPECT_EQ(is.scene.obstacles[0].friction, 0.4);
      EXPECT_EQ(is.scene.soft_bodies[0].material.density_kg_m3,
                was.scene.soft_bodies[0].material.density_kg_m3);
      EXPECT_EQ(is.drawn.size(), 3u);
    }
  }
  EXPECT_EQ(load_scenario(file.path(), set).scene.obstacles[2].friction, 0.7) << "nothing drawn";
  EXPECT_THAT(message(drawing("  bodies.block.poissons_ratio: {same_as: bodies.block.friction}\n"
                              "  bodies.block.friction: [0.1, 0.3]\n"),
                      {"block.friction=0.6"}),
              testing::AllOf(HasSubstr("s.yaml:35: randomize.bodies.block.poissons_ratio = "),
                             HasSubstr("must be in (-1, 0.5)")));
}

TEST(DrawRules, WhatFollowsNothingIsRefused) {
  EXPECT_THAT(refusal("  bodies.block.friction: {same_as: bodies.block.frction}\n"
                      "  bodies.block.thickness_m: [0, 1]\n"),
              HasSubstr("same_as must be another key of randomize; did you mean"));
  EXPECT_THAT(refusal("  bodies.block.friction: {same_as: obstacles.globe.friction}\n"),
              HasSubstr("there is none"));
  EXPECT_THAT(refusal("  bodies.block.friction: {same_as: bodies.block.friction}\n"),
              HasSubstr("must not lead back to itself"));
  EXPECT_THAT(refusal("  bodies.block.friction: {same_as: obstacles.globe.friction}\n"
                      "  obstacles.globe.friction: {same_as: obstacles.floor.friction}\n"
                      "  obstacles.floor.friction: {same_as: obstacles.globe.friction}\n"),
              HasSubstr("must not lead back to itself"));
  EXPECT_THAT(refusal("  bodies.block.friction: [0.1, 0.5]\n"
                      "  obstacles.floor.friction: {same_as: bodies.block.friction, times: -1}\n"),
              HasSubstr("obstacles.floor.friction = -0.1 (must be >= 0"));
  EXPECT_THAT(refusal("  description: {choice: [a, b]}\n"
                      "  obstacles.floor.friction: {same_as: description, times: 2}\n"),
              HasSubstr("no number that times 2 could go with"));
}

TEST(DrawRules, BadRulesNameLineKeyAndRule) {
  const std::vector<std::pair<const char*, const char*>> bad = {
      {"{unifrom: [1, 2]}", "did you mean uniform?"},
      {"{}", "exactly one of uniform, log_uniform"},
      {"{uniform: [0.1, 0.2], integer: [1, 2]}", "exactly one of"},
      {"{uniform: [0.2, 0.1]}", "low <= high"},
      {"{uniform: [-1e308, 1e308]}", "of finite width"},
      {"{uniform: 3}", "2 numbers in brackets"},
      {"{log_uniform: [0, 1]}", "must be > 0"},
      {"{log_uniform: [2, 1]}", "low <= high"},
      {"{normal: [0.5, 0.1]}", "beside within"},
      {"{normal: [0.5, 0], within: [0, 1]}", "standard deviation > 0"},
      {"{normal: [0.5, 0.01], within: [0.9, 1]}", "lies within 37 of them"},
      {"{normal: [0.5, 0.1], within: [0.9, 0.2]}", "low <= high"},
      {"{uniform: [0.1, 0.2], within: [0, 1]}", "without within"},
      {"{uniform: [0.1, 0.2], times: 3}", "without times"},
      {"{integer: [1, 2.5]}", "both whole numbers"},
      {"{integer: [1, 1e17]}", "must be in"},
      {"{choice: []}", "a list of 1 value or more"},
      {"{choice: 3}", "a list of 1 value or more"},
      {"{choice: [0.1, -1]}", "bodies.block.friction = -1 (must be >= 0"},
      {"{choice: [0.1, [1, 2]]}", "must be values that their key accepts"},
      {"rotation", "rotation is for a key orientation_wxyz"},
      {"{rotation: {within_rad: 0}}", "in (0, 3.14"},
      {"{rotation: {about: [0, 0, 0]}}", "axis that has a length"},
      {"{same_as: }", "a text"},
      {"spin", "2 numbers in brackets"},
      {"[0.1]", "2 numbers in brackets"},
  };
  for (const auto& [rule, words] : bad) {
    const std::string told = refusal(std::string("  bodies.block.friction: ") + rule + "\n");
    EXPECT_THAT(told, HasSubstr(words)) << rule;
    EXPECT_THAT(told, testing::StartsWith("s.yaml:35: randomize.bodies.block.friction")) << rule;
  }
  EXPECT_THAT(
      refusal("  bodies.block.mesh: {choice: [{box: {size_m: [1, 1, 1], cells: [1, 1, 1]}}]}\n"
              "  bodies.block.mesh.box.cells.0: {integer: [1, 2]}\n"),
      HasSubstr("must not lie in another drawn key; bodies.block.mesh is drawn"));
}

/// Loads with several seeds, gives what a reader finds in the scenes, and holds it: the resolved
/// scenario loads to the same, and a batch's configuration to the same batch.
template <class Read>
auto values_of(const ScenarioFile& file, const Read& read) {
  std::set<decltype(read(std::declval<const Scene&>()))> values;
  for (std::uint64_t episode = 0; episode < 12; ++episode) {
    const Scenario made = load_scenario(file.path(), {}, DrawSeed(7, episode));
    EXPECT_EQ(made.drawn.size(), 1u);
    const auto value = read(made.scene);
    values.insert(value);
    const ScenarioFile resolved(made.resolved_yaml);
    const Scenario again = load_scenario(resolved.path());
    EXPECT_EQ(read(again.scene), value);
    EXPECT_EQ(again.resolved_yaml, made.resolved_yaml);
  }
  const Batch batch = load_batch(file.path(), {"environments=3"}, 7);
  const ScenarioFile whole(batch.resolved_yaml);  // in another folder
  const Batch again = load_batch(whole.path());
  EXPECT_EQ(again.resolved_yaml, batch.resolved_yaml);
  for (std::size_t e = 0; e < 3; ++e)
    EXPECT_EQ(again.environments[e].resolved_yaml, batch.environments[e].resolved_yaml);
  return values;
}

TEST(Drawable, Gravity) {
  const auto values = values_of(drawing("  gravity_m_s2.2: [-10, -9]\n"),
                                [](const Scene& s) { return s.gravity_m_s2.z; });
  EXPECT_EQ(values.size(), 12u);
  EXPECT_LT(*values.rbegin(), -9);
  EXPECT_GE(*values.begin(), -10);
}

TEST(Drawable, FrictionAndDensity) {
  EXPECT_EQ(
      values_of(drawing("  bodies.block.friction: {normal: [0.5, 0.1], within: [0.2, 0.8]}\n"),
                [](const Scene& s) { return s.soft_bodies[0].friction; })
          .size(),
      12u);
  EXPECT_EQ(values_of(drawing("  bodies.block.density_kg_m3: {log_uniform: [100, 2000]}\n"),
                      [](const Scene& s) { return s.soft_bodies[0].material.density_kg_m3; })
                .size(),
            12u);
}

TEST(Drawable, NodesOfAMesh) {
  const auto values = values_of(drawing("  bodies.block.mesh.box.cells.0: {integer: [1, 3]}\n"),
                                [](const Scene& s) { return s.soft_bodies[0].mesh.nodes.size(); });
  EXPECT_EQ(values, (std::set<std::size_t>{8, 12, 16}));
}

TEST(Drawable, AMeshOfSeveral) {
  const auto values = values_of(
      drawing("  bodies.block.mesh: {choice: [{box: {size_m: [0.1, 0.1, 0.1], cells: [1, 1, 1]}}, "
              "{box: {size_m: [0.1, 0.1, 0.2], cells: [1, 1, 2]}}]}\n"),
      [](const Scene& s) { return s.soft_bodies[0].mesh.nodes.size(); });
  EXPECT_EQ(values, (std::set<std::size_t>{8, 12}));
}

/// Files lie beside the scenario; the configuration of a batch lies elsewhere.
TEST(Drawable, AFileOfAMesh) {
  std::string text =
      with("mesh: {box: {size_m: [0.2, 0.1, 0.05], cells: [2, 1, 1]}}", "mesh: {file: one.msh}");
  text.erase(text.find("attachments:\n"),
             text.find("friction_pairs:\n") - text.find("attachments:\n"));
  text.erase(text.find("  bodies.block.friction"),
             text.find("checks:\n") - text.find("  bodies.block.friction"));
  text.insert(text.find("checks:\n"), "  bodies.block.mesh.file: {choice: [one.msh, other.msh]}\n");
  const ScenarioFile file(text);
  std::filesystem::copy_file(test::source_file("scenarios/soft_ball/soft_ball.msh"),
                             file.folder().file("one.msh"));
  std::filesystem::copy_file(test::source_file("scenarios/soft_mat/soft_mat.msh"),
                             file.folder().file("other.msh"));
  const auto values =
      values_of(file, [](const Scene& s) { return s.soft_bodies[0].mesh.nodes.size(); });
  EXPECT_EQ(values.size(), 2u);
  const Scenario made = load_scenario(file.path(), {}, 7);
  EXPECT_THAT(json_of(made.drawn[0].value).get<std::string>(), testing::EndsWith(".msh"));
  EXPECT_EQ(json_of(made.drawn[0].value).get<std::string>().find('/'), std::string::npos);
  // So does that of a run without a seed.
  const ScenarioFile resolved(load_scenario(file.path()).resolved_yaml);
  EXPECT_EQ(load_scenario(resolved.path(), {}, 7).scene.soft_bodies[0].mesh.nodes.size(),
            made.scene.soft_bodies[0].mesh.nodes.size());
}

TEST(Drawable, AnOrientation) {
  EXPECT_EQ(values_of(drawing("  obstacles.crate.orientation_wxyz: rotation\n"),
                      [](const Scene& s) {
                        return s.obstacles[1].path.at(0).to_world({1, 0, 0}).x;
                      })
                .size(),
            12u);
  EXPECT_EQ(values_of(drawing("  bodies.block.orientation_wxyz: {rotation: {about: [0, 0, 1]}}\n"),
                      [](const Scene& s) {
                        return s.soft_bodies[0].pose.to_world({1, 0, 0}).y;
                      })
                .size(),
            12u);
}

TEST(Drawable, WhereAnObstacleIs) {
  EXPECT_EQ(values_of(drawing("  obstacles.crate.position_m.0: [1, 1.5]\n"),
                      [](const Scene& s) { return s.obstacles[1].path.at(0).position.x; })
                .size(),
            12u);
  EXPECT_EQ(values_of(drawing("  obstacles.crate.position_m: {choice: [[1, 0, 0], [1, 1, 0]]}\n"),
                      [](const Scene& s) { return s.obstacles[1].path.at(0).position.y; }),
            (std::set<double>{0, 1}));
}

/// A component of a list that the file leaves out: the others keep their defaults.
TEST(Drawable, AComponentOfWhatIsNotWritten) {
  EXPECT_EQ(values_of(drawing("  bodies.block.velocity_m_s.1: [-1, 1]\n"),
                      [](const Scene& s) { return s.soft_bodies[0].velocity.y; })
                .size(),
            12u);
}

TEST(Drawable, Gains) {
  const std::string arm = test::task_scenario("{}");
  const ScenarioFile file(arm.substr(0, arm.find("task:")) +
                          "randomize:\n  robots.arm.joint_drives.base_x.stiffness: {log_uniform: "
                          "[500, 5000]}\n");
  EXPECT_EQ(
      values_of(file, [](const Scene& s) { return s.robots[0].joint_drives[0].stiffness; }).size(),
      12u);
}

}  // namespace
}  // namespace nodia
