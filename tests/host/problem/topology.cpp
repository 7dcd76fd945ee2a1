#include "host/problem/topology.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <random>
#include <thread>

#include "host/problem/topology_pool.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Bodies of every kind in a random order, with random couplings and places.
TopologyRecipe random_recipe(unsigned seed, int n_body) {
  std::mt19937 engine(seed);
  const auto index = [&](int end) {
    return std::uniform_int_distribution<std::int32_t>(0, end - 1)(engine);
  };
  const auto number = [&] { return std::uniform_real_distribution<double>(-1, 1)(engine); };
  TopologyRecipe recipe;
  std::int32_t n_row = 0;
  for (int k = 0; k < n_body; ++k) {
    const auto kind = static_cast<BodyKind>(index(4));
    const std::int32_t rows = kind == BodyKind::rigid   ? 2
                              : kind == BodyKind::chain ? 2 * (1 + index(7))
                                                        : 1 + index(9);
    recipe.bodies.push_back({kind, n_row, rows});
    n_row += rows;
  }
  for (int k = 0; k < 3 * n_row; ++k) recipe.couplings.emplace_back(index(n_row), index(n_row));
  for (int k = 0; k < n_row; ++k) recipe.rest.push_back({number(), number(), number()});
  return recipe;
}

Topology made(const TopologyRecipe& recipe) {
  const std::int32_t n_row =
      recipe.bodies.empty() ? 0 : recipe.bodies.back().first_row + recipe.bodies.back().n_row;
  return make_topology(*BlockPattern::from_couplings(n_row, recipe.couplings), recipe.bodies,
                       recipe.rest);
}

TEST(Topology, OfAnyBodiesIsValidAndNamesEveryRow) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Topology topology = made(random_recipe(seed, 1 + static_cast<int>(seed) % 9));
    ASSERT_NO_THROW(topology.validate("topology")) << seed;
    ASSERT_EQ(topology.kind.size(), static_cast<std::size_t>(topology.n_row()));
    for (const Body& body : topology.bodies)
      for (std::int32_t row = body.first_row; row < body.first_row + body.n_row; ++row) {
        const bool second = (row - body.first_row) % 2 == 1;
        const RowKind expected = body.kind == BodyKind::soft    ? RowKind::node
                                 : body.kind == BodyKind::robot ? RowKind::joint
                                 : second                       ? RowKind::angular
                                                                : RowKind::linear;
        EXPECT_EQ(topology.kind[row], expected) << "seed " << seed << ", row " << row;
      }
  }
}

TEST(Topology, OfNothingIsValid) {
  EXPECT_NO_THROW(made({}).validate("topology"));
  EXPECT_NO_THROW(Topology{}.validate("topology"));
}

struct BrokenRule {
  const char* name;
  const char* message;
  std::function<void(Topology&)> damage;
};

/// Rows: soft 0 to 2, rigid 3 and 4, chain 5 to 8, robot 9.
Topology example() {
  const std::vector<Body> bodies{{BodyKind::soft, 0, 3},
                                 {BodyKind::rigid, 3, 2},
                                 {BodyKind::chain, 5, 4},
                                 {BodyKind::robot, 9, 1}};
  return make_topology(*BlockPattern::from_couplings(10, {{0, 1}, {1, 2}, {3, 4}, {9, 2}}), bodies,
                       std::vector<Vec3d>(10, Vec3d{1, 2, 3}));
}

const BrokenRule kBrokenRules[] = {
    {"RowEnds", "t.pattern", [](Topology& t) { t.pattern.row_begin.back() += 1; }},
    {"NoTranspose", "block (0, 2) without its transpose",
     [](Topology& t) { t.pattern.column[1] = 2; }},
    {"LastBlockWithoutTranspose", "without its transpose",
     [](Topology& t) { t.pattern.column[t.pattern.row_begin[9]] = 1; }},
    {"BodyMissing", "t.bodies = 9 rows", [](Topology& t) { t.bodies.pop_back(); }},
    {"BodyTooLong", "t.bodies[3] = robot, 2 rows from 9 on",
     [](Topology& t) { t.bodies[3].n_row = 2; }},
    {"BodyHuge", "t.bodies[3]", [](Topology& t) { t.bodies[3].n_row = 2147483647; }},
    {"BodyEmpty", "t.bodies[0] = soft, 0 rows", [](Topology& t) { t.bodies[0].n_row = 0; }},
    {"BodyNegative", "t.bodies[0]", [](Topology& t) { t.bodies[0].n_row = -3; }},
    {"BodyApart", "t.bodies[1]", [](Topology& t) { t.bodies[1].first_row += 1; }},
    {"BodyBeforeTheFirst", "t.bodies[0]", [](Topology& t) { t.bodies[0].first_row = -1; }},
    {"BodyKindUnknown", "soft, rigid, chain or robot",
     [](Topology& t) { t.bodies[3].kind = static_cast<BodyKind>(4); }},
    {"RigidBodyOfThreeRows", "t.bodies[0] = rigid, 3 rows",
     [](Topology& t) { t.bodies[0].kind = BodyKind::rigid; }},
    {"ChainOfHalfALink", "t.bodies[0] = chain, 3 rows",
     [](Topology& t) { t.bodies[0].kind = BodyKind::chain; }},
    {"KindCount", "t.kind = 9 entries", [](Topology& t) { t.kind.pop_back(); }},
    {"KindOfAnotherBody", "t.kind[6]", [](Topology& t) { t.kind[6] = RowKind::linear; }},
    {"RestCount", "t.rest = 11 entries", [](Topology& t) { t.rest.emplace_back(); }},
    {"RestNan", "t.rest[7] = nan",
     [](Topology& t) { t.rest[7].y = std::numeric_limits<double>::quiet_NaN(); }},
};

class TopologyRules : public testing::TestWithParam<BrokenRule> {};

TEST_P(TopologyRules, AreChecked) {
  Topology topology = example();
  ASSERT_NO_THROW(topology.validate("t"));
  GetParam().damage(topology);
  try {
    topology.validate("t");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().message));
    EXPECT_THAT(error.what(), testing::HasSubstr("must be"));
  }
}

INSTANTIATE_TEST_SUITE_P(Topology, TopologyRules, testing::ValuesIn(kBrokenRules),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(WithSoftBodies, FillsTheRowsOfNoBody) {
  using Bodies = std::vector<Body>;
  EXPECT_EQ(with_soft_bodies({}, 0), Bodies{});
  EXPECT_EQ(with_soft_bodies({}, 5), (Bodies{{BodyKind::soft, 0, 5}}));
  const Body robot{BodyKind::robot, 2, 3};
  EXPECT_EQ(with_soft_bodies({robot}, 5), (Bodies{{BodyKind::soft, 0, 2}, robot}));
  EXPECT_EQ(with_soft_bodies({robot}, 6),
            (Bodies{{BodyKind::soft, 0, 2}, robot, {BodyKind::soft, 5, 1}}));
}

TEST(PatternOf, KeepsTheTopologyAlive) {
  auto topology = std::make_shared<const Topology>(example());
  const std::weak_ptr<const Topology> watch = topology;
  const std::shared_ptr<const BlockPattern> pattern = pattern_of(topology);
  topology.reset();
  ASSERT_FALSE(watch.expired());
  EXPECT_EQ(pattern.get(), &watch.lock()->pattern);
}

TEST(TopologyPool, SharesWhatIsEqualAndNothingElse) {
  TopologyPool pool;
  std::vector<std::shared_ptr<const Topology>> first;
  for (unsigned seed = 0; seed < 30; ++seed)
    first.push_back(pool.shared(random_recipe(seed, 1 + static_cast<int>(seed) % 5)));
  for (unsigned seed = 0; seed < 30; ++seed) {
    const TopologyRecipe recipe = random_recipe(seed, 1 + static_cast<int>(seed) % 5);
    EXPECT_EQ(pool.shared(recipe), first[seed]) << seed;
    EXPECT_EQ(pool.shared(made(recipe)), first[seed]) << seed;
    EXPECT_TRUE(*first[seed] == made(recipe)) << seed;
    for (unsigned other = 0; other < seed; ++other) EXPECT_NE(first[seed], first[other]);
  }
}

TEST(TopologyPool, SharesAcrossOrdersOfTheSameCouplings) {
  TopologyPool pool;
  TopologyRecipe recipe = random_recipe(3, 6), reversed = recipe;
  std::reverse(reversed.couplings.begin(), reversed.couplings.end());
  for (auto& [i, j] : reversed.couplings) std::swap(i, j);
  EXPECT_EQ(pool.shared(recipe), pool.shared(reversed));
}

TEST(TopologyPool, SeesADifferenceInEveryPart) {
  TopologyPool pool;
  const TopologyRecipe recipe{
      {{0, 1}, {2, 3}}, {{BodyKind::rigid, 0, 2}, {BodyKind::soft, 2, 2}}, std::vector<Vec3d>(4)};
  const auto of = [&](const std::function<void(TopologyRecipe&)>& change) {
    TopologyRecipe changed = recipe;
    change(changed);
    return pool.shared(changed);
  };
  const std::shared_ptr<const Topology> all[] = {
      of([](TopologyRecipe&) {}),
      of([](TopologyRecipe& r) { r.couplings.pop_back(); }),
      of([](TopologyRecipe& r) { r.couplings.emplace_back(1, 2); }),
      of([](TopologyRecipe& r) { r.bodies[0].kind = BodyKind::chain; }),
      of([](TopologyRecipe& r) {
        r.bodies = {{BodyKind::rigid, 0, 2}, {BodyKind::soft, 2, 1}, {BodyKind::soft, 3, 1}};
      }),
      of([](TopologyRecipe& r) { r.rest.clear(); }),
      of([](TopologyRecipe& r) { r.rest[3].z = 1e-300; }),
      of([](TopologyRecipe& r) { r.rest[3].z = -0.0; }),
  };
  for (std::size_t i = 0; i < std::size(all); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(all[i], all[j]) << i << " " << j;
}

TEST(TopologyPool, ThreadsThatAskAtOnceGetTheSame) {
  TopologyPool pool;
  constexpr int kThreads = 4, kAsked = 60;
  std::vector<std::vector<std::shared_ptr<const Topology>>> found(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int k = 0; k < kAsked; ++k)
        found[t].push_back(pool.shared(random_recipe(static_cast<unsigned>(k) % 7, 5)));
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& list : found)
    for (int k = 0; k < kAsked; ++k) EXPECT_EQ(list[k], found[0][static_cast<std::size_t>(k % 7)]);
}

}  // namespace
}  // namespace nodia
