#include "host/solvers/complementarity/mlcp.hpp"

#include <gtest/gtest.h>

#include "host/solvers/complementarity/lemke.hpp"
#include "host/solvers/complementarity/prox_iteration.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/lcps.hpp"

namespace nodia {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Mlcp scalar(double a, double b, const ForceSet& set) {
  return {Eigen::MatrixXd::Constant(1, 1, a), Eigen::VectorXd::Constant(1, b), {set}};
}

Eigen::VectorXd one(double x) {
  return Eigen::VectorXd::Constant(1, x);
}

// Benchmarks, 29: a = 2, l = 0.
TEST(MlcpEnergyError, KnownValues) {
  const ForceSet set = ForceSet::not_negative(0);
  EXPECT_DOUBLE_EQ(energy_error(scalar(2, 0.2, set), one(-0.1)), 0.01);           // w = 0
  EXPECT_DOUBLE_EQ(energy_error(scalar(2, -0.2, set), one(0.3)), 0.04);           // w = 0.4
  EXPECT_EQ(energy_error(scalar(2, -0.6, set), one(0.3)), 0);                     // w = 0
  EXPECT_EQ(energy_error(scalar(2, 0.4, set), one(0)), 0);                        // x = 0
  EXPECT_DOUBLE_EQ(energy_error(scalar(2, 1, ForceSet::free(0)), one(0)), 0.25);  // w^2/(2a)
  EXPECT_EQ(energy_error(scalar(2, 1, ForceSet::interval(0, -0.1, 0.1)), one(-0.1)), 0);
}

TEST(MlcpEnergyError, ScalesAsEnergyDoes) {
  // x -> s x, w -> w, a -> a/s: s times the energy.
  Mlcp mlcp = test::particle_cone(-10);
  const Eigen::Vector3d x(0.4, 0.3, -0.1);
  const double s = 8;
  Mlcp scaled = mlcp;
  scaled.A /= s;
  EXPECT_NEAR(energy_error(scaled, s * x), s * energy_error(mlcp, x), 1e-14);
}

TEST(MlcpEnergyError, SumsOverTheConstraints) {
  Mlcp two{Eigen::Vector2d(2, 2).asDiagonal(),
           Eigen::Vector2d(0.2, -0.2),
           {ForceSet::not_negative(0), ForceSet::not_negative(1)}};
  EXPECT_DOUBLE_EQ(energy_error(two, Eigen::Vector2d(-0.1, 0.3)), 0.05);
}

TEST(MlcpEnergyError, VanishesAtSolutionsOfEveryLawAndNowhereElse) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  for (const FrictionLaw& law :
       {FrictionLaw{}, FrictionLaw{.projection = Projection::proximal},
        FrictionLaw{.section = Section::box}, FrictionLaw{.section = Section::polygon},
        FrictionLaw{.section = Section::polygon, .facets = 3},
        FrictionLaw{.section = Section::polygon, .facets = 7}}) {
    for (int k = 0; k < 40; ++k) {
      Eigen::MatrixXd B(6, 6);
      for (double& value : B.reshaped()) value = normal(engine);
      Mlcp mlcp{B * B.transpose() + 3 * Eigen::MatrixXd::Identity(6, 6),
                Eigen::VectorXd(6),
                {ForceSet::contact(0, 0.3, 0.3, law), ForceSet::contact(3, 0.2, 0.6, law)}};
      for (double& value : mlcp.b) value = 3 * normal(engine);
      ProxOptions options;
      options.max_iterations = 20000;
      double worst = kInfinity;
      const ProxSolution solution =
          prox_fixed_point(mlcp, options, Eigen::VectorXd::Zero(6),
                           [&](const Eigen::VectorXd& x, const Eigen::VectorXd&) {
                             return (worst = energy_error(mlcp, x)) < 1e-24;
                           });
      EXPECT_LT(worst, 1e-20) << k << " " << solution.reason;
      for (int i = 0; i < 6; ++i) {
        Eigen::VectorXd wrong = solution.x;
        wrong[i] += 0.01;
        EXPECT_GT(energy_error(mlcp, wrong), 1e-10);
      }
    }
  }
}

// The box of a contact is two scalar frictions.
TEST(MlcpEnergyError, BoxFrictionInBothForms) {
  Mlcp box{Eigen::Vector3d(2, 3, 4).asDiagonal(),
           Eigen::Vector3d(-1, 5, -0.1),
           {ForceSet::contact(0, 0.5, 0.4, {.section = Section::box})}};
  Mlcp scalars = box;
  scalars.sets = {ForceSet::not_negative(0), ForceSet::friction(1, 0, 0.5),
                  ForceSet::friction(2, 0, 0.4)};
  for (const Eigen::Vector3d& x : {Eigen::Vector3d(0.5, -0.25, 0.025),
                                   Eigen::Vector3d(0.4, 0.3, -1), Eigen::Vector3d(-1, 0, 0)})
    EXPECT_DOUBLE_EQ(energy_error(box, x), energy_error(scalars, x));
  EXPECT_EQ(energy_error(box, Eigen::Vector3d(0.5, -0.25, 0.025)), 0);
  const ProxSolution solution = prox_fixed_point(scalars, {}, Eigen::Vector3d::Zero(), 1e-28);
  EXPECT_LT((solution.x - Eigen::Vector3d(0.5, -0.25, 0.025)).norm(), 1e-12);
}

// Entries without inertia have no energy: the slacks of linearised friction.
TEST(MlcpEnergyError, RefusesEntriesWithoutInertia) {
  EXPECT_THROW(energy_error(to_mlcp(test::particle_lcp(-10)), Eigen::VectorXd::Zero(6)),
               InputError);
  const Lcp lcp = test::random_lcp(test::LcpKind::p_matrix, 5, 1);
  EXPECT_LT(energy_error(to_mlcp(lcp), lemke(lcp).z), 1e-24);
  EXPECT_GT(energy_error(to_mlcp(lcp), Eigen::VectorXd::Zero(5)), 1e-6);
}

TEST(CckError, KnownValues) {
  EXPECT_EQ(cck_function(0, 2), 0);
  EXPECT_EQ(cck_function(2, 0), 0);
  EXPECT_DOUBLE_EQ(cck_function(3, 4), 0.7 * 2 + 0.3 * 12);
  EXPECT_DOUBLE_EQ(cck_function(-3, -4), 0.7 * -12);
  const Mlcp mlcp = test::particle_cone(-10);
  EXPECT_NEAR(cck_error(mlcp, Eigen::Vector3d(0.5, -0.25, 0), Eigen::Vector3d(0, 0.75, 0)), 0,
              1e-30);
  // Friction along the slip, across it, and too little of it.
  for (const Eigen::Vector3d& wrong : {Eigen::Vector3d(0.5, 0.25, 0), Eigen::Vector3d(0.5, 0, 0.25),
                                       Eigen::Vector3d(0.5, -0.2, 0)})
    EXPECT_GT(cck_error(mlcp, wrong, Eigen::Vector3d(0, 0.75, 0)), 1e-4);
  EXPECT_THROW(cck_error({mlcp.A, mlcp.b, {ForceSet::contact(0, 1, 2)}}, mlcp.b, mlcp.b),
               InputError);
}

TEST(Mlcp, RulesAreChecked) {
  const auto bad = [](std::vector<ForceSet> sets) {
    Mlcp mlcp{Eigen::Matrix3d::Identity(), Eigen::Vector3d::Zero(), std::move(sets)};
    EXPECT_THROW(mlcp.validate(), InputError);
  };
  bad({});
  bad({ForceSet::not_negative(0), ForceSet::not_negative(1)});
  bad({ForceSet::contact(1, 0, 0)});
  bad({ForceSet::contact(0, -1, 0)});
  bad({ForceSet::contact(0, 0, std::nan(""))});
  bad({ForceSet::contact(0, 0, 0), ForceSet::free(1)});
  bad({ForceSet::friction(1, 0, 1), ForceSet::not_negative(0), ForceSet::free(2)});
  bad({ForceSet::not_negative(0), ForceSet::interval(1, 1, 0), ForceSet::free(2)});
  EXPECT_NO_THROW(test::particle_cone(-10).validate());
}

TEST(FrictionLaw, PolygonIsInsideTheConeAndTheBoxOutside) {
  std::mt19937_64 engine(2);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 200; ++k) {
    const Vec3d trial{std::abs(normal(engine)), normal(engine), normal(engine)};
    const double mu1 = 0.7, mu2 = k % 2 ? 0.7 : 0.2;
    for (const int facets : {3, 4, 8, 64}) {
      const FrictionLaw law{.section = Section::polygon, .facets = facets};
      const Vec3d p = law.project(trial, mu1, mu2);
      EXPECT_LE(std::hypot(p.y / mu1, p.z / mu2), p.x * (1 + 1e-14));
      const Vec3d again = law.project(p, mu1, mu2);
      EXPECT_LT(norm(again - p), 1e-14);
      if (facets == 64) {
        EXPECT_LT(norm(p - FrictionLaw{}.project(trial, mu1, mu2)), 0.05 * p.x);
      }
    }
    const Vec3d box = FrictionLaw{.section = Section::box}.project(trial, mu1, mu2);
    EXPECT_LE(std::abs(box.y), mu1 * box.x);
    EXPECT_LE(std::abs(box.z), mu2 * box.x);
  }
}

TEST(FrictionLaw, NotANumberPassesThrough) {
  for (const Section section : {Section::disc, Section::polygon, Section::box})
    for (int axis = 0; axis < 3; ++axis) {
      const FrictionLaw law{.section = section};
      ContactImpulse c{{1, 0.1, 0.1}, {0, 1, 1}, {1, 1, 1}, 0.5, 0.5};
      c.x[axis] = std::nan("");
      EXPECT_TRUE(std::isnan(law.energy_error(c)));
      EXPECT_TRUE(std::isnan(norm(law.natural_map(c.x, c.w, 1, 0.5, 0.5))));
    }
}

}  // namespace
}  // namespace nodia
