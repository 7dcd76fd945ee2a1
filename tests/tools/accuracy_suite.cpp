#include "tools/compare/accuracy_suite.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "host/solvers/catalogue.hpp"
#include "tools/compare/accuracy_cases.hpp"

namespace nodia::studies {
namespace {

Scenario scenario(const char* name) {
  return load_case(choose_cases({name}).front(), NODIA_SOURCE_DIR "/scenarios");
}

void nothing(int, int) {}

/// Steps of a small soft body that slides, with two answers of `cond`, a coarse and a good one.
class EnergyErrors : public testing::Test {
 protected:
  EnergyErrors() {
    Scenario box = scenario("soft_mat");
    box.scene = load_case({"", "soft_mat/soft_mat.yaml", "", Remesh::mat, 60},
                          NODIA_SOURCE_DIR "/scenarios")
                    .scene;
    box.scene.time.duration_s = 0.8;
    box.solver.execution.threads = 1;
    SampleChoice choice;
    choice.count = 1;
    samples_ = std::make_unique<Samples>(box, choice, nothing);
    sample_ = &samples_->all().front();
    options_ = box.solver;
  }

  Solution solution(double tolerance) const {
    SolverOptions options = options_;
    options.tolerance = tolerance;
    options.max_iterations = 50000;
    Solution found;
    make_solver(options)->solve(sample_->problem, sample_->warm, &found);
    return found;
  }

  std::unique_ptr<Samples> samples_;
  const Sample* sample_ = nullptr;
  SolverOptions options_;
};

TEST_F(EnergyErrors, OfForcesAreThoseOfTheMeasureOfEverySolver) {
  const EnergyError energy(sample_->problem);
  ASSERT_GT(sample_->problem.n_contact(), 0);
  EXPECT_NEAR(energy.norm(sample_->v_ref), sample_->reference_norm,
              1e-12 * sample_->reference_norm);
  Solution coarse = solution(1e-2);
  coarse.v = sample_->v_ref;  // what is left is the error of the forces
  EXPECT_NEAR(energy.distance(coarse, sample_->v_ref) / energy.norm(sample_->v_ref),
              (*sample_->true_error)(coarse.lambda), 1e-9);
}

TEST_F(EnergyErrors, OfVelocitiesAreInTheNormOfA) {
  const EnergyError energy(sample_->problem);
  Solution good = solution(1e-10);
  const double before = energy.distance(good, good.v);
  std::vector<Vec3d> moved(good.v.size(), Vec3d{1e-3, 0, 0});
  for (Vec3d& v : good.v) v.x += 1e-3;
  EXPECT_NEAR(energy.distance(good, sample_->v_ref), energy.norm(moved),
              2 * before + 1e-6 * energy.norm(moved));
}

TEST_F(EnergyErrors, ReferencesAgreeWithThoseOfOtherSolvers) {
  const EnergyError energy(sample_->problem);
  const Reference reference = reference_of(sample_->problem, sample_->warm, energy, options_);
  ASSERT_EQ(reference.reason, "");
  EXPECT_LT(reference.error, kGoodReference * reference.norm);
  const Solution good = solution(1e-10);
  ASSERT_EQ(good.env[0].status, SolveStatus::converged);
  EXPECT_LT(energy.distance(good, reference.v), 1e-6 * reference.norm);
}

TEST(AccuracySuite, EverySolverReachesTheTargetOnTheBox) {
  SuiteOptions options;
  options.samples = 2;
  AccuracyCaseRun run(scenario("box_sliding"), options, nothing);
  EXPECT_EQ(run.n_sample(), 2);
  EXPECT_EQ(run.unconverged_steps(), 0);
  EXPECT_LT(run.reference_error(), kGoodReference);
  EXPECT_GT(run.motion(), 0.01);  // it slides
  EXPECT_LT(run.motion(), 1);
  for (const char* solver : {"auto", "cond", "pgs", "apgd"}) {
    std::size_t n_row = 0;
    const SolverCurve curve = run.curve_of(solver, [&](const AccuracyRow&) { ++n_row; });
    ASSERT_FALSE(curve.rows.empty()) << solver;
    EXPECT_EQ(curve.rows.size(), n_row);
    EXPECT_EQ(curve.ended, "") << solver;
    EXPECT_EQ(curve.rows.front().tolerance, 0.1);
    EXPECT_LE(curve.rows.back().mean_error, options.target_error) << solver;
    EXPECT_EQ(std::isnan(curve.rows.back().work_units),
              solver == std::string("pgs") || solver == std::string("apgd"));
    for (const AccuracyRow& row : curve.rows) {
      EXPECT_GT(row.cpu_ms, row.delassus_ms) << solver;
      EXPECT_LE(row.median_error, row.worst_error);
      EXPECT_EQ(row.unconverged, 0) << solver;
    }
  }
}

TEST(AccuracySuite, EndsWhereItsTimeIsOver) {
  SuiteOptions options;
  options.samples = 2;
  options.seconds = 1e-9;
  AccuracyCaseRun run(scenario("box_sliding"), options, nothing);
  const SolverCurve curve = run.curve_of("cond", [](const AccuracyRow&) {});
  EXPECT_TRUE(curve.rows.empty());
  EXPECT_EQ(curve.ended, "1e-09 s of CPU time were over");
}

TEST(AccuracySuite, WhatTheWatchThrowsEndsItBetweenSolves) {
  struct Stop {};
  SuiteOptions options;
  options.samples = 2;
  bool stop = false;
  AccuracyCaseRun run(scenario("box_sliding"), options, [&](int, int) {
    if (stop) throw Stop();
  });
  int n_row = 0;
  EXPECT_THROW(run.curve_of("cond",
                            [&](const AccuracyRow&) {
                              ++n_row;
                              stop = true;
                            }),
               Stop);
  EXPECT_EQ(n_row, 1);
}

}  // namespace
}  // namespace nodia::studies
