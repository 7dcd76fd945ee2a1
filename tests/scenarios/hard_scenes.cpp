/// Piles and slides whose forces statics knows, with the Newton solver.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "host/simulation/simulation.hpp"
#include "tests/support/piles.hpp"

namespace nodia {
namespace {

constexpr double kG = 9.81;

SolverOptions newton_at(double tolerance) {
  SolverOptions options;
  options.solver = "newton";
  options.tolerance = tolerance;
  options.threads = 1;
  return options;
}

/// What a pile of rigid bodies did.
struct PileRun {
  int n_unsolved = 0;
  double fastest_m_s = 0;      ///< of all bodies, from the second step on
  std::vector<Vec3d> force_N;  ///< on each body from the layers below and from the floor
};

/// @param n_wide  bodies a layer
PileRun run_pile(const Scene& scene, int n_wide, const SolverOptions& options, int n_step) {
  PileRun run;
  Simulation simulation({scene}, options);
  const std::size_t n = scene.rigid_bodies.size();
  for (int k = 0; k < n_step; ++k)
    simulation.step([&](const StepView& view) {
      run.n_unsolved += view.record.solve.status != SolveStatus::converged;
      for (std::size_t row = 0; k > 0 && row < 2 * n; row += 2)
        run.fastest_m_s = std::max(run.fastest_m_s, norm(view.state.v[row]));
      run.force_N.assign(n, Vec3d{});
      for (std::size_t m = 0; m < view.contacts.size(); ++m) {
        const ContactSides& s = view.contact_sides[m];
        const Vec3d f = transpose_times(view.contacts[m].R, view.lambda[m]);
        const bool on_floor = s.j.kind == SurfaceId::Kind::obstacle;
        if (!on_floor && s.i.index / n_wide == s.j.index / n_wide) continue;
        const bool i_later = on_floor || s.i.index > s.j.index;
        run.force_N[static_cast<std::size_t>(i_later ? s.i.index : s.j.index)] +=
            i_later ? f : -1.0 * f;
      }
    });
  return run;
}

TEST(HardScenes, AStackOfTenStandsForTenSeconds) {
  const int n = 10;
  const PileRun run = run_pile(test::stack_of_boxes(n), 1, newton_at(1e-6), 1000);
  EXPECT_EQ(run.n_unsolved, 0);
  EXPECT_LT(run.fastest_m_s, 1e-8);
  for (int k = 0; k < n; ++k)
    EXPECT_NEAR(run.force_N[k].z, (n - k) * kG, 1e-6 * (n - k) * kG) << "under box " << k;
}

TEST(HardScenes, SlowAWallOfThirtyBricksStandsForTenSeconds) {
  const int n_wide = 6, n_high = 5;
  const PileRun run = run_pile(test::wall_of_bricks(n_wide, n_high), n_wide, newton_at(1e-7), 1000);
  EXPECT_EQ(run.n_unsolved, 0);
  EXPECT_LT(run.fastest_m_s, 1e-8);
  for (int layer = 0; layer < n_high; ++layer) {
    double up = 0;
    for (int k = 0; k < n_wide; ++k) up += run.force_N[layer * n_wide + k].z;
    const double weight = 2.0 * n_wide * (n_high - layer) * kG;
    EXPECT_NEAR(up, weight, 1e-6 * weight) << "under layer " << layer;
  }
}

TEST(HardScenes, ASoftCubeSlidesDownASlopeAsCoulombSays) {
  const double mu = 0.5, angle = std::atan(mu) + 0.04;
  Scene scene = test::box_scene({0.1, 0.1, 0.1}, {3, 3, 3});
  scene.obstacles.push_back(test::floor_obstacle(mu));
  scene.soft_bodies[0].friction = mu;
  scene.soft_bodies[0].material.rayleigh_stiffness_s = 0.01;
  scene.gravity_m_s2 = {kG * std::sin(angle), 0, -kG * std::cos(angle)};
  // A tenth of the weight's part along the slope is left over: at 1e-4, where the floor's force is
  // right to 1e-5, that is off by 0.12 %.
  Simulation simulation({scene}, newton_at(1e-6));
  const auto speed = [&] {
    const test::Totals t = test::totals(simulation.model(), simulation.state());
    return t.momentum.x / t.mass;
  };
  double at_first = 0;
  const int first = 50, last = 150;
  for (int k = 0; k < last; ++k) {
    EXPECT_EQ(simulation.step().front().solve.status, SolveStatus::converged) << k;
    if (k + 1 == first) at_first = speed();
  }
  const double acceleration = (speed() - at_first) / ((last - first) * scene.time.step_s);
  const double exact = kG * (std::sin(angle) - mu * std::cos(angle));
  EXPECT_NEAR(acceleration, exact, 5e-4 * exact);
}

}  // namespace
}  // namespace nodia
