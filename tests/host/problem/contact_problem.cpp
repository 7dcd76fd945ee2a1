#include "host/problem/contact_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "kernels/core/error.hpp"
#include "tests/support/random_problem.hpp"

namespace nodia {
namespace {

ContactProblem small_problem() {
  return random_problem({.seed = 3, .n_env = 2, .n_node = 5});
}

/// A pattern of its own, to be damaged.
BlockPattern& own_pattern(ContactProblem& p) {
  auto copy = std::make_shared<BlockPattern>(*p.A.pattern);
  p.A.pattern = copy;
  return *copy;
}

/// The topology of an environment of its own, to be damaged.
Topology& own_topology(ContactProblem& p, int e) {
  auto copy = std::make_shared<Topology>(*p.topology[e]);
  p.topology[e] = copy;
  return *copy;
}

struct BrokenRule {
  const char* name;
  const char* message;  ///< part of it
  std::function<void(ContactProblem&)> damage;
};

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInfinity = std::numeric_limits<double>::infinity();

const std::vector<BrokenRule>& broken_rules() {
  static const std::vector<BrokenRule> rules{
      {"NoPattern", "problem.A = no pattern", [](ContactProblem& p) { p.A.pattern.reset(); }},
      {"PatternRowEnds", "problem.A",
       [](ContactProblem& p) { own_pattern(p).row_begin.back() += 1; }},
      {"PatternRowOrder", "problem.A",
       [](ContactProblem& p) { own_pattern(p).row_begin[1] = 1000; }},
      {"PatternColumnRange", "problem.A = column 99",
       [](ContactProblem& p) { own_pattern(p).column.back() = 99; }},
      {"PatternColumnOrder", "columns out of order",
       [](ContactProblem& p) { own_pattern(p).column[1] = own_pattern(p).column[0]; }},
      {"PatternDiagonal", "no diagonal block",
       [](ContactProblem& p) { own_pattern(p).diagonal[2] += 1; }},
      {"ValueCount", "problem.A.value", [](ContactProblem& p) { p.A.value.pop_back(); }},
      {"ValueNan", "problem.A.value[4] = nan", [](ContactProblem& p) { p.A.value[4] = kNan; }},
      {"DiagonalNegative", "problem.A(0,0)", [](ContactProblem& p) { p.A.value[0] = -1; }},
      {"Asymmetric", "asymmetry of block",
       [](ContactProblem& p) {
         p.A.value[9 * std::size_t(p.A.pattern->diagonal[1]) + 1] *= 1 + 1e-6;
       }},
      {"LoadCount", "problem.b", [](ContactProblem& p) { p.b.pop_back(); }},
      {"LoadInfinite", "problem.b[2] = inf", [](ContactProblem& p) { p.b[2].y = kInfinity; }},
      {"MassCount", "problem.mass", [](ContactProblem& p) { p.mass.pop_back(); }},
      {"PositionCount", "problem.position", [](ContactProblem& p) { p.position.resize(1); }},
      {"PositionNan", "problem.position[1]",
       [](ContactProblem& p) {
         p.position = p.b;
         p.position[1].y = kNan;
       }},
      {"MassZero", "problem.mass[1] = 0", [](ContactProblem& p) { p.mass[1] = 0; }},
      {"MassNan", "problem.mass[1] = nan", [](ContactProblem& p) { p.mass[1] = kNan; }},
      {"Theta", "problem.theta = 0.4", [](ContactProblem& p) { p.theta = 0.4; }},
      {"StepZero", "problem.step_s = 0", [](ContactProblem& p) { p.step_s = 0; }},
      {"StepNan", "problem.step_s = nan", [](ContactProblem& p) { p.step_s = kNan; }},
      {"EnvironmentsMissing", "problem.env_node_begin",
       [](ContactProblem& p) { p.env_node_begin.clear(); }},
      {"EnvironmentNodes", "problem.env_node_begin",
       [](ContactProblem& p) { p.env_node_begin.back() -= 1; }},
      {"EnvironmentOrder", "problem.env_contact_begin",
       [](ContactProblem& p) { p.env_contact_begin[1] = p.env_contact_begin[2] + 1; }},
      {"EnvironmentContacts", "problem.env_contact_begin",
       [](ContactProblem& p) { p.env_contact_begin.pop_back(); }},
      {"EnvironmentsCoupled", "environments share nothing",
       [](ContactProblem& p) { p.env_node_begin[1] = 3; }},
      {"TopologyMissing", "problem.topology = 1 entries (must be 2 entries",
       [](ContactProblem& p) { p.topology.pop_back(); }},
      {"TopologyNone", "problem.topology[1] = none",
       [](ContactProblem& p) { p.topology[1].reset(); }},
      {"TopologyBodies", "problem.topology[1].bodies[0]",
       [](ContactProblem& p) { own_topology(p, 1).bodies[0].n_row += 1; }},
      {"TopologyRows", "problem.topology[0].pattern = 6 rows",
       [](ContactProblem& p) {
         p.topology[0] = random_problem({.seed = 3, .n_node = 6}).topology[0];
       }},
      {"TopologyOfAnother", "problem.topology[1].pattern = 5 rows",
       [](ContactProblem& p) { p.topology[1] = p.topology[0]; }},
      {"ContactNode", "problem.contacts[0].side_i = 7",
       [](ContactProblem& p) { p.contacts[0].side_i = 7; }},
      {"ContactOther", "problem.contacts[0].side_j = -2",
       [](ContactProblem& p) { p.contacts[0].side_j = -2; }},
      {"ContactSelf", "another side",
       [](ContactProblem& p) { p.contacts[0].side_j = p.contacts[0].side_i; }},
      {"ContactFrame", "problem.contacts[1].R",
       [](ContactProblem& p) { p.contacts[1].R(0, 0) += 1e-6; }},
      {"ContactFrameNan", "problem.contacts[1].R",
       [](ContactProblem& p) { p.contacts[1].R(2, 1) = kNan; }},
      {"ContactPhi", "problem.contacts[1].phi = nan",
       [](ContactProblem& p) { p.contacts[1].phi.z = kNan; }},
      {"FrictionNegative", "problem.contacts[1].mu1 = -0.1",
       [](ContactProblem& p) { p.contacts[1].mu1 = -0.1; }},
      {"FrictionNan", "problem.contacts[1].mu2 = nan",
       [](ContactProblem& p) { p.contacts[1].mu2 = kNan; }},
  };
  return rules;
}

class ContactProblemRules : public testing::TestWithParam<BrokenRule> {};

TEST_P(ContactProblemRules, AreChecked) {
  ContactProblem p = small_problem();
  ASSERT_NO_THROW(p.validate());
  GetParam().damage(p);
  try {
    p.validate();
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().message));
    EXPECT_THAT(error.what(), testing::HasSubstr("must be"));
    EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("\n")));
  }
}

INSTANTIATE_TEST_SUITE_P(Problem, ContactProblemRules, testing::ValuesIn(broken_rules()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(ContactProblem, AcceptsNoMassNoContactsAndNoNodes) {
  ContactProblem p = small_problem();
  p.mass.clear();
  EXPECT_NO_THROW(p.validate());
  p.contacts.clear();
  p.env_contact_begin = {0, 0, 0};
  EXPECT_NO_THROW(p.validate());
  ContactProblem empty;
  empty.A = BlockMatrix(BlockPattern::from_couplings(0, {}));
  EXPECT_NO_THROW(empty.validate());
}

TEST(ContactProblem, EnvironmentIsTheProblemMadeAlone) {
  const ContactProblem whole = random_problem({.seed = 5, .n_env = 3, .n_node = 6});
  for (int e = 0; e < 3; ++e) {
    const ContactProblem part = whole.environment(e);
    ASSERT_NO_THROW(part.validate());
    ASSERT_EQ(part.n_env(), 1);
    ASSERT_EQ(part.n_node(), 6);
    ASSERT_EQ(part.n_contact(), 6);
    // The operator acts on the environment's part of any vector as the whole one does.
    std::vector<Vec3d> x(18);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = {std::sin(1.0 * double(i)), std::cos(double(i)), double(i)};
    const std::vector<Vec3d> y = whole.A.multiply(x);
    const std::vector<Vec3d> z = part.A.multiply({x.begin() + 6 * e, x.begin() + 6 * e + 6});
    for (int i = 0; i < 6; ++i) {
      EXPECT_EQ(norm(y[6 * e + i] - z[i]), 0);
      EXPECT_EQ(norm(part.b[i] - whole.b[6 * e + i]), 0);
      EXPECT_EQ(part.mass[i], whole.mass[6 * e + i]);
    }
    for (int m = 0; m < 6; ++m) {
      const Contact<double>&a = part.contacts[m], &b = whole.contacts[6 * e + m];
      EXPECT_EQ(a.side_i, b.side_i - 6 * e);
      EXPECT_EQ(a.side_j, b.side_j == kWorld ? kWorld : b.side_j - 6 * e);
      EXPECT_EQ(a.key, b.key);
    }
  }
}

TEST(ContactProblem, EnvironmentsShareTheirTopologiesWithTheWhole) {
  const ContactProblem whole =
      random_problem({.seed = 5, .n_env = 3, .n_node = 6, .n_body = 2, .n_link = 3});
  for (int e = 0; e < 3; ++e) {
    const ContactProblem part = whole.environment(e);
    EXPECT_EQ(part.topology.front(), whole.topology[e]);
    EXPECT_EQ(part.A.pattern.get(), &whole.topology[e]->pattern);
  }
}

TEST(DerivedTopology, HasTheGivenBodiesAndSoftOnesForTheRest) {
  ContactProblem p = random_problem({.n_env = 3, .n_node = 11});
  p.derive_topology({{BodyKind::robot, 0, 2},
                     {BodyKind::chain, 4, 4},
                     {BodyKind::robot, 8, 3},
                     {BodyKind::rigid, 24, 2}});
  EXPECT_EQ(p.topology[0]->bodies, (std::vector<Body>{{BodyKind::robot, 0, 2},
                                                      {BodyKind::soft, 2, 2},
                                                      {BodyKind::chain, 4, 4},
                                                      {BodyKind::robot, 8, 3}}));
  EXPECT_EQ(p.topology[1]->bodies, (std::vector<Body>{{BodyKind::soft, 0, 11}}));
  EXPECT_EQ(
      p.topology[2]->bodies,
      (std::vector<Body>{{BodyKind::soft, 0, 2}, {BodyKind::rigid, 2, 2}, {BodyKind::soft, 4, 7}}));
  p.contacts.clear();
  p.env_contact_begin = {0, 0, 0, 0};
  EXPECT_NO_THROW(p.validate());
}

TEST(DerivedTopology, RefusesBodiesThatOverlapOrLeaveTheirEnvironment) {
  ContactProblem p = random_problem({.n_env = 2, .n_node = 5});
  const std::pair<const char*, std::vector<Body>> broken[] = {
      {"problem.bodies[0]", {{BodyKind::robot, -2, 1}}},
      {"problem.bodies[0]", {{BodyKind::robot, 1, 0}}},
      {"problem.bodies[0]", {{BodyKind::robot, 3, 3}}},
      {"problem.bodies[0]", {{BodyKind::robot, 10, 1}}},
      {"problem.bodies[0]", {{BodyKind::robot, 1, 2147483647}}},
      {"problem.bodies[1]", {{BodyKind::robot, 1, 2}, {BodyKind::robot, 2, 2}}},
      {"problem.bodies[1]", {{BodyKind::robot, 6, 2}, {BodyKind::robot, 2, 2}}},
  };
  for (const auto& [message, bodies] : broken) {
    try {
      p.derive_topology(bodies);
      ADD_FAILURE() << message << ": accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(message));
    }
  }
}

TEST(ContactProblemBodies, RulesOfPointsAreChecked) {
  const ContactProblem good = random_problem({.seed = 2,
                                              .n_env = 2,
                                              .n_node = 7,
                                              .n_body = 2,
                                              .n_body_contact = 2,
                                              .n_triangle_contact = 2,
                                              .n_link = 5});
  EXPECT_NO_THROW(good.validate());
  struct Broken {
    const char* message;
    void (*change)(ContactProblem&);
  };
  const Broken broken[] = {
      {"problem.points.begin", [](ContactProblem& p) { p.points.begin[1] = -1; }},
      {"problem.points.begin", [](ContactProblem& p) { p.points.begin.back() += 1; }},
      {"problem.points.row[0]", [](ContactProblem& p) { p.points.row[0] = p.n_node(); }},
      {"problem.points.row[1]", [](ContactProblem& p) { p.points.row[1] = p.points.row[0]; }},
      {"problem.points.J[0]",
       [](ContactProblem& p) { p.points.J[0](1, 1) = std::numeric_limits<double>::quiet_NaN(); }},
      {"problem.env_point_begin", [](ContactProblem& p) { p.env_point_begin.pop_back(); }},
      {"outside of rigid bodies", [](ContactProblem& p) { p.contacts[0].side_i = 7; }},
  };
  for (const Broken& b : broken) {
    ContactProblem p = good;
    b.change(p);
    try {
      p.validate();
      ADD_FAILURE() << b.message << ": accepted";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(b.message), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace nodia
