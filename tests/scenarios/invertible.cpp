/// Invertible contact in whole scenarios (Lee et al., V-F): contact forces recovered from the
/// velocities of every step, within the paper's mean errors of their norm.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "host/errors/errors.hpp"
#include "host/simulation/simulation.hpp"
#include "host/solvers/catalogue.hpp"
#include "tests/scenarios/scenario_files.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

double norm_of(const std::vector<Vec3d>& x) {
  double squared = 0;
  for (const Vec3d& a : x) squared += squared_norm(a);
  return std::sqrt(squared);
}

/// Means over the steps [N].
struct Recovery {
  double norm_error = 0;  ///< | |recovered| - |lambda| |, Euclidean over all contacts
  double error = 0;       ///< |recovered - lambda|
  double force = 0;       ///< |lambda|
  int n_contact = 0;      ///< of the last step
};

Recovery recover(const std::string& file, int n_step, const std::string& tolerance) {
  const Scenario scenario = load_scenario(
      test::source_file(file), {"solver.projection=proximal", "solver.invertible_omega_m_Ns=1e-3",
                                "solver.tolerance=" + tolerance});
  Simulation simulation({scenario.scene}, scenario.solver);
  const auto solver = make_solver(scenario.solver);
  Recovery mean;
  WarmStart warm;
  Solution s;
  for (int k = 0; k < n_step; ++k) {
    const ContactProblem p = simulation.build_problem(&warm);
    solver->solve(p, warm, &s);
    EXPECT_EQ(s.env[0].status, SolveStatus::converged) << "step " << k + 1;
    std::vector<Vec3d> recovered = recover_contact_forces(p, s.v, scenario.solver.projection,
                                                          scenario.solver.invertible_omega_m_Ns);
    const double force = norm_of(s.lambda);
    mean.norm_error += std::fabs(norm_of(recovered) - force) / n_step;
    mean.force += force / n_step;
    for (std::size_t m = 0; m < recovered.size(); ++m) recovered[m] -= s.lambda[m];
    mean.error += norm_of(recovered) / n_step;
    mean.n_contact = p.n_contact();
    simulation.advance(p, s);
  }
  testing::Test::RecordProperty("norm_error_N", std::to_string(mean.norm_error));
  std::printf("mean force %.4g N, error of its norm %.3g N, norm of the error %.3g N\n", mean.force,
              mean.norm_error, mean.error);
  return mean;
}

/// Every contact is solved in one shot: exact at any tolerance.
TEST(InvertibleScenario, TheMatsForcesFollowFromItsVelocities) {
  const Recovery mean =
      recover("scenarios/soft_mat/soft_mat.yaml", 100, "1e-4");  // rests, is dragged
  EXPECT_GT(mean.n_contact, 300);
  EXPECT_GT(mean.force, 0.1);
  EXPECT_LE(mean.norm_error, 0.087e-3);
}

/// Velocities of points follow their contact conditions as closely as the solver's tolerance says:
/// 1.0 mN at 1e-4.
TEST(InvertibleScenario, TheBallsForcesFollowFromItsVelocities) {
  const Recovery mean =
      recover("scenarios/soft_ball/soft_ball.yaml", 130, "2e-5");  // gripped, lift begins
  EXPECT_GT(mean.n_contact, 4);
  EXPECT_GT(mean.force, 0.1);
  EXPECT_LE(mean.norm_error, 0.48e-3);
}

}  // namespace
}  // namespace nodia
